import { ApiError } from '@steadyhand/contracts';
import type { Match } from './comparable.ts';
import type { Difference } from './differences.ts';

/** More differences than these are counted, not told. */
const TOLD = 8;
export const DIFFERENCES_SOUGHT = 50;

/** The request is not the one that was recorded. A 400: asking again as it is never helps. */
export class ReplayMismatchError extends ApiError {
  override readonly name = 'ReplayMismatchError';
  constructor(message: string, differences: readonly Difference[] = []) {
    super('invalid_request_error', message, {
      details: { error_code: 'replay_mismatch', differences: differences.slice(0, TOLD) },
    });
  }
}

/** @param reply its number, from 1 */
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
