import type { XConnection } from './connection.ts';
import { askProgram } from './program-answer.ts';
import { pause, settle } from './settle.ts';

/** How long a program that takes part in the ping protocol is waited for. */
const ANSWER_MS = 5000;
/** How long the screen is watched when the program does not take part. */
const WITHOUT_ANSWER = { firstMs: 120, quietMs: 60, repeatMs: 120, answerMs: 0, maxMs: 1000 };

/**
 * Waits until the program in front has processed all input so far. A program that answers pings says so itself (see
 * askProgram). For any other the screen is awaited until it has come to rest, for 120 ms at least, unless `unanswered`
 * is `go on`. Returns false when a program that takes part has not answered within five seconds.
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
