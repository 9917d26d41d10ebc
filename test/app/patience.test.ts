import { Writable } from 'node:stream';
import { Patience, StartStoppedError } from '../../app/parts/patience.ts';
import { createLogger } from '../../server/log.ts';
import { Readiness } from '../../server/health/readiness.ts';

/** A start that waits for what cannot be reached yet. */

class AwayError extends Error {}

const isAway = (error: unknown): boolean => error instanceof AwayError;

function patience(limitMs: number, signal = new AbortController().signal) {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push((JSON.parse(chunk.toString()) as { msg: string }).msg);
      done();
    },
  });
  const readiness = new Readiness();
  const log = createLogger('warn', sink);
  return { lines, readiness, waiting: new Patience({ log, readiness, signal, limitMs, everyMs: 1 }) };
}

test('it tries again until it is there, with a line each time, and is not ready meanwhile', async () => {
  const { lines, readiness, waiting } = patience(60_000);
  const told: (string | null)[] = [];
  let attempts = 0;
  const attempt = async (): Promise<string> => {
    told.push((await readiness.read()).reason);
    if (++attempts < 3) throw new AwayError('nobody answers');
    return 'there';
  };
  expect(await waiting.until('the database', isAway, attempt)).toBe('there');
  expect(lines).toEqual([
    'waiting for the database: nobody answers',
    'waiting for the database: nobody answers',
  ]);
  expect(told).toEqual([
    'it is starting',
    'it waits for the database: nobody answers',
    'it waits for the database: nobody answers',
  ]);
});

test('the last error is thrown when its time is over, and at once where waiting does not help', async () => {
  await expect(
    patience(0).waiting.until('Temporal', isAway, () => Promise.reject(new AwayError('nobody answers'))),
  ).rejects.toThrow('nobody answers');
  await expect(
    patience(60_000).waiting.until('Temporal', isAway, () => Promise.reject(new Error('wrong key'))),
  ).rejects.toThrow('wrong key');
});

test('it ends when the process is told to stop', async () => {
  const stopping = new AbortController();
  const { waiting } = patience(60_000, stopping.signal);
  const attempt = async (): Promise<never> => {
    stopping.abort();
    throw new AwayError('nobody answers');
  };
  await expect(waiting.until('Temporal', isAway, attempt)).rejects.toBeInstanceOf(StartStoppedError);
});
