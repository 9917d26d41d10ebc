import { writeFileSync } from 'node:fs';
import { ModelRefusedError } from '../../common/errors.ts';
import { ModelWorker } from '../model-worker.ts';
import type { TrialOrder, TrialVerdict } from './try-model.ts';

/** A model that fills memory takes a few gigabytes a second. */
const LOOK_MS = 10;
const MIB = 1024 * 1024;

/**
 * The entry of a process that loads one model in a worker of its own and runs it once. Whatever the model does to it, this
 * process can be ended and gives all that it took back, which no thread can.
 */
process.once('message', (order: TrialOrder) => void carryOut(order));
process.once('disconnect', end);

async function carryOut({ workerFile, setup, limitMs, memoryMib }: TrialOrder): Promise<void> {
  offerToTheKernel();
  if (memoryMib !== null) {
    setInterval(() => {
      if (process.memoryUsage.rss() <= memoryMib * MIB) return;
      const reason =
        `it takes more than ${memoryMib} MiB of memory to load it and run it once, which is what a model may ` +
        '(INFERENCE_LOAD_MEMORY_MIB)';
      answer({ type: 'refused', reason });
    }, LOOK_MS);
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

/** Where memory runs out for all, this is the process that goes. */
function offerToTheKernel(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not this kernel's, or not allowed.
  }
}

function answer(verdict: TrialVerdict): void {
  if (process.send === undefined) end();
  else process.send(verdict, undefined, undefined, end);
}

/** At once: a thread inside the runtime would hold up an orderly end. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
