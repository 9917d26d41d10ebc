/** Says what is wrong with a schedule's spec, with the server's text. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}

/**
 * Reads a decimal integer.
 *
 * @throws SpecError with the text that the server passes on from its own parser
 */
export function parseInteger(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    throw new SpecError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}
