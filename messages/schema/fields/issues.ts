import type { z } from 'zod';
import { InvalidRequestError } from '@steadyhand/contracts';
import { clipped, NOT_AN_OBJECT } from './tagged.ts';

type Issue = z.core.$ZodIssue;

/** The API's messages for values of the wrong type. */
const WRONG_TYPE: Readonly<Record<string, string>> = {
  string: 'Input should be a valid string',
  number: 'Input should be a valid number',
  boolean: 'Input should be a valid boolean',
  array: 'Input should be a valid list',
  record: 'Input should be a valid dictionary',
  object: NOT_AN_OBJECT,
};

function plural(count: number | bigint, noun: string): string {
  return `${count} ${noun}${Number(count) === 1 ? '' : 's'}`;
}

/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`. */
function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  const last = quoted.at(-1) ?? '';
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`;
}

function lengthOf(input: unknown): number {
  return Array.isArray(input) || typeof input === 'string' ? input.length : 0;
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  const { minimum } = issue;
  if (issue.origin === 'string') return `String should have at least ${plural(minimum, 'character')}`;
  if (issue.origin === 'array') {
    return `List should have at least ${plural(minimum, 'item')} after validation, not ${lengthOf(issue.input)}`;
  }
  return `Input should be greater than ${issue.inclusive === false ? '' : 'or equal to '}${minimum}`;
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  const { maximum } = issue;
  if (issue.origin === 'string') return `String should have at most ${plural(maximum, 'character')}`;
  if (issue.origin === 'array') {
    return `List should have at most ${plural(maximum, 'item')} after validation, not ${lengthOf(issue.input)}`;
  }
  return `Input should be less than ${issue.inclusive === false ? '' : 'or equal to '}${maximum}`;
}

function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Field required' : (WRONG_TYPE[issue.expected] ?? issue.message);
    case 'invalid_value':
      return issue.input === undefined ? 'Field required' : `Input should be ${oneOf(issue.values)}`;
    case 'unrecognized_keys':
      return 'Extra inputs are not permitted';
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return 'pattern' in issue && issue.pattern !== undefined
        ? `String should match pattern '${issue.pattern.replaceAll(/^\/|\/[a-z]*$/g, '')}'`
        : issue.message;
    case 'custom':
      return issue.input === undefined ? 'Field required' : issue.message;
    default:
      return issue.message;
  }
}

/** Puts a path, as the API writes it, before a message. */
function atPath(path: readonly PropertyKey[], text: string): string {
  return path.length === 0 ? text : `${path.map((part) => clipped(String(part))).join('.')}: ${text}`;
}

/**
 * Makes the API's error of the first issue. Zod lists issues in the order of the schema's fields, with unknown fields
 * after the others of their object.
 *
 * @example if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
 */
export function toInvalidRequest(issues: readonly Issue[]): InvalidRequestError {
  const [issue] = issues;
  if (issue === undefined) throw new Error('an invalid request without an issue');
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
  return new InvalidRequestError(atPath(path, issueText(issue)));
}
