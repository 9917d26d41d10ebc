import { isDeepStrictEqual } from 'node:util';
import type { Row } from './row.ts';
import type { Look, View } from './view.ts';

/** What XState itself shows, by row. */
export type Plain = ReadonlyMap<string, readonly Look[]>;

/** Where a row differs from XState. */
export interface Finding {
  readonly row: string;
  /** The first such step, with what differs there; or why the row could not be run. */
  readonly text: string;
}

/** Runs rows, some at a time, and answers those that are not as in XState. */
export async function findingsOf(
  rows: readonly Row[],
  plain: Plain,
  run: (row: Row) => Promise<ReadonlyMap<number, View>>,
  atATime: number,
): Promise<readonly Finding[]> {
  const waiting = [...rows];
  const findings: Finding[] = [];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      try {
        const text = differenceOf(plain.get(row.name) ?? [], await run(row));
        if (text !== undefined) findings.push({ row: row.name, text });
      } catch (error) {
        findings.push({ row: row.name, text: String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return findings;
}

function differenceOf(plain: readonly Look[], views: ReadonlyMap<number, View>): string | undefined {
  for (const [step, here] of views) {
    const view = plain[step]?.view;
    if (isDeepStrictEqual(view, here)) continue;
    const keys = (Object.keys(here) as (keyof View)[]).filter(
      (key) => !isDeepStrictEqual(here[key], view?.[key]),
    );
    const pick = (from: View | undefined): string =>
      JSON.stringify(Object.fromEntries(keys.map((key) => [key, from?.[key]])));
    return `step ${step}: in XState ${pick(view)}, here ${pick(here)}`;
  }
  return undefined;
}
