import type { XConnection } from './connection.ts';
import { askProgram } from './program-answer.ts';
import { pause, settle } from './settle.ts';

/** How long a program that says when it has dealt with its input is waited for. */
const ANSWER_MS = 5000;
/** What a program that does not say gets, from the last change on the screen. */
const WITHOUT_ANSWER = { firstMs: 120, quietMs: 60, repeatMs: 120, answerMs: 0, maxMs: 1000 };

/**
 * Waits until the program in front has dealt with all input so far: until it says so (see askProgram), or for one that does
 * not take part, unless `unanswered` says not to wait for such a one, until the screen has come to rest, 120 ms at least. False
 * when it has not answered within five seconds.
 */
export async function inputProcessed(
  connection: XConnection,
  signal?: AbortSignal,
  unanswered: 'wait' | 'go on' = 'wait',
): Promise<boolean> {
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  let answered = false;
  const { asked, off } = await askProgram(connection, () => {
    answered = true;
    stop();
  });
  try {
    if (!asked) {
      if (unanswered === 'wait') await settle(connection, WITHOUT_ANSWER, signal);
      return true;
    }
    signal?.addEventListener('abort', stop, { once: true });
    await pause(ANSWER_MS, enough.signal);
    return answered;
  } finally {
    signal?.removeEventListener('abort', stop);
    off();
  }
}
