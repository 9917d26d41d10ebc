import { fork } from 'node:child_process';
import { ModelRefusedError } from '../../common/errors.ts';
import type { ModelWorkerOptions } from '../model-worker.ts';

/** What the process of a trial is asked to try. */
export interface TrialOrder {
  readonly workerFile: string;
  readonly setup: ModelWorkerOptions['setup'];
  /** Milliseconds for loading the model and running it once. */
  readonly limitMs: number;
  /** MiB that the process may hold; null for no limit. */
  readonly memoryMib: number | null;
}

/**
 * The result of a trial. `refused` means that the model is at fault, until its files change; `failed` means that
 * something else is, and another attempt may succeed.
 */
export type TrialVerdict =
  | { readonly type: 'passed' }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

/** Time beyond the process's own limit, for one that does not keep it. */
const MORE_MS = 5_000;

/** The environment variables that the runtime may need. Keys and tokens are kept from models of unknown origin. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'TZ'];

/**
 * Loads a model and runs it once in a process of its own, with limits of time and memory.
 * @param trialFile the bundled entry of that process
 * @param signal ends the process
 * @throws {ModelRefusedError} where the model is at fault; Error for any other cause; the signal's reason
 */
export function tryModel(order: TrialOrder, trialFile: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = fork(trialFile, {
      // The parent's flags, such as a test runner's, are not for it.
      execArgv: [],
      env: Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let verdict: TrialVerdict | undefined;
    const kill = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      verdict ??= { type: 'refused', reason: `it did not load and run once within ${order.limitMs} ms` };
      kill();
    }, order.limitMs + MORE_MS);
    signal.addEventListener('abort', kill, { once: true });
    child.once('message', (message: TrialVerdict) => {
      verdict ??= message;
      kill();
    });
    const settle = (end: string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason as Error);
      else if (verdict === undefined)
        reject(new ModelRefusedError(`the runtime's process ended on it (${end})`));
      else if (verdict.type === 'passed') resolve();
      else
        reject(
          verdict.type === 'refused' ? new ModelRefusedError(verdict.reason) : new Error(verdict.reason),
        );
    };
    child.once('error', (error) => {
      verdict ??= { type: 'failed', reason: `no process for its trial: ${error.message}` };
      if (child.pid === undefined) settle('');
    });
    child.once('exit', (code, killer) => settle(killer ?? `code ${code}`));
    child.send(order, () => undefined);
  });
}
