import { InferenceSession } from 'onnxruntime-node';
import { InferenceError, ModelRefusedError, oneLine } from '../../common/errors.ts';
import type { Tensor, TensorInfo } from '../../common/tensor.ts';
import { fromOrt, tensorInfos, toOrt } from './ort-tensors.ts';

export interface SessionOptions {
  /** The path of a file, or its bytes. */
  readonly model: string | Uint8Array;
  /** Threads of a second session, for runs that are alone in the process; null for none. */
  readonly wideThreads: number | null;
  readonly spinning: boolean;
  /** Whether the inputs' sizes change from run to run. */
  readonly varies: boolean;
}

/**
 * A model in the runtime: a session with one thread and, where it is asked for, a second one with several, since the
 * number of a session's threads is fixed when it is made.
 */
export class Session {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly #narrow: InferenceSession;
  readonly #wide: InferenceSession | null;

  /** @throws {ModelRefusedError} with the runtime's reason */
  static async open(options: SessionOptions): Promise<Session> {
    const { wideThreads } = options;
    try {
      const narrow = await create(options, 1);
      const wide = wideThreads === null ? null : await create(options, wideThreads);
      return new Session(narrow, wide);
    } catch (error) {
      if (error instanceof ModelRefusedError) throw error;
      throw new ModelRefusedError(`the runtime refuses it: ${oneLine(error, 500)}`, { cause: error });
    }
  }

  constructor(narrow: InferenceSession, wide: InferenceSession | null) {
    this.inputs = tensorInfos('input', narrow.inputMetadata);
    this.outputs = tensorInfos('output', narrow.outputMetadata);
    this.#narrow = narrow;
    this.#wide = wide;
  }

  /** Frees its memory. Nothing may run during or after it. */
  async release(): Promise<void> {
    await this.#narrow.release();
    await this.#wide?.release();
  }

  get hasWide(): boolean {
    return this.#wide !== null;
  }

  /**
   * Blocks this thread while it runs. The outputs come in the model's order, or in the one asked for, and are views on
   * the runtime's memory.
   * @param options.varies whether the inputs' sizes change from run to run; the memory that this run needed is then
   *   freed after it
   * @throws {InferenceError} inference_failed
   */
  async run(
    inputs: readonly Tensor[],
    options: {
      readonly wide: boolean;
      readonly outputs?: readonly string[] | null;
      readonly varies?: boolean;
    },
  ): Promise<readonly Tensor[]> {
    const session = options.wide && this.#wide !== null ? this.#wide : this.#narrow;
    const names = options.outputs ?? session.outputNames;
    try {
      const feeds = Object.fromEntries(inputs.map((tensor) => [tensor.name, toOrt(tensor)]));
      const results = await session.run(feeds, names, options.varies === true ? SHRINK : {});
      return names.map((name) => {
        const tensor = results[name];
        if (tensor === undefined) throw new Error(`it answered no ${name}`);
        return fromOrt(name, tensor);
      });
    } catch (error) {
      if (error instanceof InferenceError) throw error;
      throw new InferenceError(
        'inference_failed',
        `the runtime could not run the model: ${oneLine(error, 500)}`,
        {
          cause: error,
        },
      );
    }
  }
}

const SHRINK = { extra: { memory: { enable_memory_arena_shrinkage: 'cpu:0' } } };

function create(options: SessionOptions, threads: number): Promise<InferenceSession> {
  const { model } = options;
  // The overloads take either a path or bytes, not their union.
  return typeof model === 'string'
    ? InferenceSession.create(model, settings(threads, options))
    : InferenceSession.create(model, settings(threads, options));
}

function settings(threads: number, { spinning, varies }: SessionOptions): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    // The runtime's default binds threads to cores, which fails where a process may not use all of them.
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // The runtime keeps a plan of a run's memory for each shape, which is worth it for one shape alone.
    enableMemPattern: !varies,
    // Errors come as exceptions; below this level the runtime would write them to standard error as well.
    logSeverityLevel: 4,
    extra: {
      session: {
        intra_op: { allow_spinning: spinning ? '1' : '0' },
        // Threads spin inside a run alone: between runs the cores are for others.
        force_spinning_stop: '1',
      },
      // On arm64 these kernels keep gigabytes when sizes vary (microsoft/onnxruntime#29538).
      ...(process.arch === 'arm64' && { mlas: { disable_kleidiai: '1' } }),
    },
  };
}
