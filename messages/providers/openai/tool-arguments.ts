import { INVALID_JSON } from '../../actions/decode-computer.ts';
import { isRecord } from '../../api/is-record.ts';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The object that a text of arguments says, or undefined. No text at all is no arguments. */
export function readArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  const value = parsed(text);
  if (value === null) return {};
  // Some models quote the object once more.
  const unquoted = typeof value === 'string' ? parsed(value) : value;
  return isRecord(unquoted) ? unquoted : undefined;
}

/** A tool use's input from a function call's arguments. */
export function inputOf(text: string): Record<string, unknown> {
  return readArguments(text) ?? { [INVALID_JSON]: text };
}
