import { INVALID_JSON } from '../../actions/decode-computer.ts';
import { isRecord, parsedJson } from '../../api/is-record.ts';

/** Parses a text of arguments; undefined where it is not an object. An empty text means no arguments. */
export function readArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  const value = parsedJson(text);
  if (value === null) return {};
  // Some models send the object as a JSON string.
  const unquoted = typeof value === 'string' ? parsedJson(value) : value;
  return isRecord(unquoted) ? unquoted : undefined;
}

/** Makes a tool use's input of a function call's arguments. */
export function inputOf(text: string): Record<string, unknown> {
  return readArguments(text) ?? { [INVALID_JSON]: text };
}
