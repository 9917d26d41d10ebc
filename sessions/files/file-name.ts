import { InvalidRequestError } from '../api/validate.ts';
import { extensionOf } from './file-type.ts';

const MAX_LENGTH = 255;

/** The API forbids `< > : " | ? * \ /` and the control characters below U+0020. */
function isForbidden(character: string): boolean {
  return '<>:"|?*\\/'.includes(character) || character < ' ';
}

/**
 * The name of an uploaded file: the last component of the name that the client sent, or `unnamed` with an extension for
 * the type when it sent none.
 * @throws {InvalidRequestError} for more than 255 characters and for forbidden ones
 */
export function fileName(sent: string | undefined, mimeType: string): string {
  const name = (sent ?? '').split(/[/\\]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..') return `unnamed${extensionOf(mimeType)}`;
  const characters = Array.from(name);
  if (characters.length > MAX_LENGTH) {
    throw new InvalidRequestError(
      `file: Invalid filename: it has ${characters.length} characters, at most ${MAX_LENGTH} are allowed`,
    );
  }
  const forbidden = characters.find(isForbidden);
  if (forbidden !== undefined) {
    throw new InvalidRequestError(
      `file: Invalid filename: ${JSON.stringify(forbidden)} is not allowed, nor are any of < > : " | ? * \\ / and ` +
        'control characters',
    );
  }
  return name;
}

/** The name for a file from a sandbox, with forbidden characters replaced. */
export function keptName(found: string, mimeType: string): string {
  const cleaned = Array.from(found, (character) => (isForbidden(character) ? '_' : character));
  return fileName(cleaned.slice(0, MAX_LENGTH).join(''), mimeType);
}
