import { ApiError } from '@steadyhand/contracts';
import type { Match } from './comparable.ts';
import type { Difference } from './differences.ts';

/** The error lists this many differences and counts the others. */
const TOLD = 8;
export const DIFFERENCES_SOUGHT = 50;

/** The request differs from the recorded one. The status is 400, since asking again does not help. */
export class ReplayMismatchError extends ApiError {
  override readonly name = 'ReplayMismatchError';
  constructor(message: string, differences: readonly Difference[] = []) {
    super('invalid_request_error', message, {
      details: { error_code: 'replay_mismatch', differences: differences.slice(0, TOLD) },
    });
  }
}

/** @param reply the number of the reply, from 1 */
export function replayMismatch(
  name: string,
  reply: number,
  match: Match,
  differences: readonly Difference[],
): ReplayMismatchError {
  const lines = differences
    .slice(0, TOLD)
    .map(({ path, recorded, sent }) => `  ${path}: recorded ${recorded}, sent ${sent}`);
  const more = differences.length - TOLD;
  const rest = more <= 0 ? [] : [`  and ${differences.length === DIFFERENCES_SOUGHT ? 'many' : more} more`];
  const head = `this request differs from what the recording '${name}' has for reply ${reply} (match: ${match}):`;
  return new ReplayMismatchError([head, ...lines, ...rest].join('\n'), differences);
}

export function recordingEnded(name: string, replies: number): ReplayMismatchError {
  return new ReplayMismatchError(
    `the recording '${name}' has ${replies} repl${replies === 1 ? 'y' : 'ies'} to a conversation, and this request asks ` +
      'for one more',
  );
}
