import { pythonRepr, pythonStr } from '../python-text.ts';
import { ToolError } from '../tool.ts';

/** The model's tool input: a null counts as absent, and unknown fields are ignored. */
export type EditorInput = Readonly<Record<string, unknown>>;

export function asFields(input: unknown): EditorInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new ToolError('input must be an object with a command and a path');
  return input as EditorInput;
}

/** Reads a text parameter; throws ToolError when it is missing or not a text. */
export function requiredText(input: EditorInput, name: string, command: string): string {
  const text = optionalText(input, name);
  if (text === null) throw new ToolError(`Parameter \`${name}\` is required for command: ${command}`);
  return text;
}

export function optionalText(input: EditorInput, name: string): string | null {
  const value = input[name];
  if (value == null) return null;
  if (typeof value !== 'string')
    throw new ToolError(`Invalid \`${name}\` parameter: ${pythonRepr(value)}. It should be a string.`);
  return value;
}

/** Whether a value is a whole number; in Python true and false are 1 and 0. */
export type IsWhole = (value: unknown) => value is number;
export const isWhole: IsWhole = (value): value is number => Number.isSafeInteger(value);
export const isPythonInt: IsWhole = (value): value is number =>
  Number.isInteger(value) || typeof value === 'boolean';

/** Reads the line after which to insert. Bounds are checked later, against the file. */
export function insertLine(input: EditorInput, whole: IsWhole): number {
  const value = input['insert_line'];
  if (value == null) throw new ToolError('Parameter `insert_line` is required for command: insert');
  if (!whole(value))
    throw new ToolError(`Invalid \`insert_line\` parameter: ${pythonRepr(value)}. It should be an integer.`);
  return value;
}

/** Reads the lines of `view_range`, checked against the file's number of lines; null means the whole file. */
export function viewRange(
  input: EditorInput,
  lines: number,
  { isInteger }: { readonly isInteger: IsWhole },
): readonly [number, number] | null {
  const value: unknown = input['view_range'];
  if (!hasViewRange(input)) return null;
  if (!Array.isArray(value) || value.length !== 2 || !value.every((item) => isInteger(item)))
    throw new ToolError('Invalid `view_range`. It should be a list of two integers.');
  const [first, last] = value.map(pythonStr);
  const [from, to] = value.map(Number) as [number, number];
  const wrong = (what: string): ToolError =>
    new ToolError(`Invalid \`view_range\`: ${pythonStr(value)}. ${what}`);
  if (from < 1 || from > lines)
    throw wrong(
      `Its first element \`${first}\` should be within the range of lines of the file: ${pythonStr([1, lines])}`,
    );
  if (to > lines)
    throw wrong(
      `Its second element \`${last}\` should be smaller than the number of lines in the file: \`${lines}\``,
    );
  if (to !== -1 && to < from)
    throw wrong(`Its second element \`${last}\` should be larger or equal than its first \`${first}\``);
  return [from, to === -1 ? lines : to];
}

/** Whether a range was given at all: as in the reference, null, an empty list or object, 0 and false are none. */
export function hasViewRange(input: EditorInput): boolean {
  const value = input['view_range'];
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
