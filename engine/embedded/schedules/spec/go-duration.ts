import { SpecError } from './spec-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const PART = /(\d+\.?\d*|\.\d+)([^\d.]*)/gy;

/**
 * Reads a duration such as `90s`, `1h30m` or `2d`, in ms. A day is 24 hours.
 *
 * @throws SpecError with the text that the server passes on from its own parser
 */
export function parseGoDuration(text: string): number {
  const quoted = JSON.stringify(text);
  const invalid = (): SpecError => new SpecError(`time: invalid duration ${quoted}`);
  const unsigned = text.replace(/^[+-]/, '');
  const sign = text.startsWith('-') ? -1 : 1;
  if (unsigned === '0') return 0;
  if (unsigned === '') throw invalid();
  let total = 0;
  let end = 0;
  for (const [whole, amount, unit = ''] of unsigned.matchAll(PART)) {
    if (unit === '') throw new SpecError(`time: missing unit in duration ${quoted}`);
    const ms = UNIT_MS[unit];
    if (ms === undefined)
      throw new SpecError(`time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`);
    total += Number(amount) * ms;
    end += whole.length;
  }
  if (end !== unsigned.length) throw invalid();
  return sign * total;
}
