import { statSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { now } from '../../common/clock.ts';
import { ModelRefusedError } from '../../common/errors.ts';
import { buffersOf } from '../../common/tensor.ts';
import { loadPreprocessor } from '../../preprocess/load-preprocessor.ts';
import {
  JOB_STATES,
  type FileStamp,
  type FromWorker,
  type Job,
  type JobOutcome,
  type ModelFiles,
  type UnpackedJob,
  type ToWorker,
  type WorkerSetup,
} from './messages.ts';
import { serializeError } from './serialized-error.ts';
import { discardWork, unpackWork } from './packed-image.ts';
import type { ServedModel } from './served-model.ts';
import { ServedOcr } from './served-ocr.ts';
import { ServedOnnx } from './served-onnx.ts';

/** Loads the model, then runs the jobs in the order in which they come in. */
export async function serve(port: MessagePort, setup: WorkerSetup): Promise<void> {
  const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  let served: ServedModel;
  try {
    served = await load(setup);
  } catch (error) {
    if (!(error instanceof ModelRefusedError)) throw error;
    send({ type: 'refused', reason: error.message });
    return;
  }
  const states = new Int32Array(setup.states);
  let last = Promise.resolve();
  port.on('message', (message: ToWorker) => {
    last = last.then(async () => {
      // A thread may end between two runs; inside one it would take the process with it.
      if (message.type === 'end') {
        await served.end();
        process.exit(0);
      }
      const { jobs, wide } = message;
      const outcomes = await runJobs(served, states, jobs, wide);
      send({ type: 'outcomes', outcomes }, outcomes.flatMap(transferable));
    });
  });
  send({ type: 'ready', model: served.model });
}

async function load(setup: WorkerSetup): Promise<ServedModel> {
  const { files } = setup;
  const stamps = stampsOf(files);
  stamps.forEach(requireSame);
  const preprocessor = loadPreprocessor(setup.wasmFile);
  const served =
    files.kind === 'ocr'
      ? await ServedOcr.load(files, setup, preprocessor)
      : await ServedOnnx.load(files.onnx, setup, preprocessor);
  stamps.forEach(requireSame);
  return served;
}

function stampsOf(files: ModelFiles): readonly FileStamp[] {
  return files.kind === 'ocr' ? [files.detect.model, files.recognize.model] : [files.onnx.model];
}

function requireSame({ path, size, mtimeMs }: FileStamp): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size !== size || found.mtimeMs !== mtimeMs) {
    throw new ModelRefusedError('the file changed while it was loaded');
  }
}

async function runJobs(
  served: ServedModel,
  states: Int32Array,
  jobs: readonly Job[],
  wide: boolean,
): Promise<readonly JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  const due: UnpackedJob[] = [];
  for (const job of jobs) {
    const late = now() > job.deadline;
    const before = Atomics.compareExchange(states, job.slot, JOB_STATES.sent, JOB_STATES.started);
    if (late || before !== JOB_STATES.sent) {
      discardWork(job.work);
      outcomes.push({ type: 'skipped', id: job.id });
    } else due.push({ ...job, work: unpackWork(job.work) });
  }
  if (due.length > 1) {
    try {
      return [...outcomes, ...(await served.runBatch(due, wide))];
    } catch (error) {
      const failed = due.map(({ id }): JobOutcome => ({ type: 'failed', id, error: serializeError(error) }));
      return [...outcomes, ...failed];
    }
  }
  for (const { id, work } of due) {
    const startedAt = now();
    try {
      const { answer, timings } = await served.run(work, wide);
      outcomes.push({ type: 'done', id, answer, timings: { startedAt, ...timings } });
    } catch (error) {
      outcomes.push({ type: 'failed', id, error: serializeError(error) });
    }
  }
  return outcomes;
}

function transferable(outcome: JobOutcome): ArrayBuffer[] {
  return outcome.type === 'done' ? buffersOf(outcome.answer.outputs ?? []) : [];
}
