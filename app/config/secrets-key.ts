const KEY_BYTES = 32;
const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** The hexadecimal digits of the key that a text stands for, by such digits or base64; undefined where it stands for none. */
export function parseSecretsKey(text: string): string | undefined {
  if (HEX.test(text)) return text.toLowerCase();
  return BASE64.test(text) ? Buffer.from(text, 'base64').toString('hex') : undefined;
}

/** The same of a file's content: the key's bytes themselves, or a text. */
export function readSecretsKey(content: Buffer): string | undefined {
  return content.length === KEY_BYTES
    ? content.toString('hex')
    : parseSecretsKey(content.toString('latin1').trim());
}

/** Keys with commas between, or `lost`. */
export function parsePreviousKeys(text: string): readonly string[] | undefined {
  if (text === LOST) return [LOST];
  const keys = text.split(',').map((each) => parseSecretsKey(each.trim()));
  const found = keys.filter((key) => key !== undefined);
  return found.length === keys.length ? found : undefined;
}

/** Says of the previous key that nobody has it. */
export const LOST = 'lost';
