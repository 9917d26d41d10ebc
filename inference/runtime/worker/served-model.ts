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
  /** Runs one job. @throws {InferenceError} */
  run(
    work: UnpackedWork,
    wide: boolean,
  ): Promise<{ readonly answer: WorkAnswer; readonly timings: StageTimings }>;
  /** Runs several images at once, where `model.batches`. An error of one image is that image's outcome. */
  runBatch(jobs: readonly UnpackedJob[], wide: boolean): Promise<readonly JobOutcome[]>;
  /** Ends its own threads. Nothing may run during or after it. */
  end(): Promise<void>;
}
