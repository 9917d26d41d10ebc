import type {
  UnpackedJob,
  JobOutcome,
  LoadedModel,
  UnpackedWork,
  WorkAnswer,
  WorkTimings,
} from './messages.ts';

export type StageTimings = Omit<WorkTimings, 'startedAt'>;

/** A model that is loaded in this thread. */
export interface ServedModel {
  readonly model: LoadedModel;
  /** One job. @throws {InferenceError} */
  run(
    work: UnpackedWork,
    wide: boolean,
  ): Promise<{ readonly answer: WorkAnswer; readonly timings: StageTimings }>;
  /** Several images in one run, where `model.batches`; an image's own mistake is that image's outcome. */
  runBatch(jobs: readonly UnpackedJob[], wide: boolean): Promise<readonly JobOutcome[]>;
  /** Ends threads of its own. Nothing runs, and nothing will. */
  end(): Promise<void>;
}

/** Milliseconds of the stages, each measured from the end of the one before it. */
export class Stopwatch {
  #last = performance.now();

  /** Milliseconds since the last call. */
  lap(): number {
    const at = performance.now();
    const ms = at - this.#last;
    this.#last = at;
    return ms;
  }
}
