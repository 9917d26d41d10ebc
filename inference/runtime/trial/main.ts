import { writeFileSync } from 'node:fs';
import { ModelRefusedError } from '../../common/errors.ts';
import { ModelWorker } from '../model-worker.ts';
import type { TrialOrder, TrialVerdict } from './try-model.ts';

/** The interval is short, because a model that fills memory takes a few gigabytes a second. */
const CHECK_MS = 10;
const MIB = 1024 * 1024;

/**
 * The entry of a process that loads one model in a worker and runs it once. Whatever the model does, a process can be
 * ended and its memory is then free, which is not so for a thread.
 */
process.once('message', (order: TrialOrder) => void tryModel(order));
process.once('disconnect', end);

async function tryModel({ workerFile, setup, limitMs, memoryMib }: TrialOrder): Promise<void> {
  preferForOutOfMemory();
  if (memoryMib !== null) {
    setInterval(() => {
      if (process.memoryUsage.rss() <= memoryMib * MIB) return;
      const reason =
        `it takes more than ${memoryMib} MiB of memory to load it and run it once, which is what a model may ` +
        '(INFERENCE_LOAD_MEMORY_MIB)';
      answer({ type: 'refused', reason });
    }, CHECK_MS);
  }
  const worker = new ModelWorker({
    workerFile,
    setup,
    runLimitMs: limitMs,
    loadLimitMs: limitMs,
    onCapacity: () => undefined,
    onLost: () => undefined,
  });
  try {
    await worker.loaded;
    answer({ type: 'passed' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    answer({ type: error instanceof ModelRefusedError ? 'refused' : 'failed', reason });
  }
}

/** Makes this the process that the kernel ends first where memory runs out. */
function preferForOutOfMemory(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // The kernel does not allow it.
  }
}

function answer(verdict: TrialVerdict): void {
  if (process.send === undefined) end();
  else process.send(verdict, undefined, undefined, end);
}

/** Ends the process at once, because a thread inside the runtime would delay an orderly end. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
