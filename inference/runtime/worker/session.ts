import { InferenceSession } from 'onnxruntime-node';
import { InferenceError, ModelRefusedError } from '../../common/errors.ts';
import type { Tensor, TensorInfo } from '../../common/tensor.ts';
import { fromOrt, infosOf, toOrt } from './ort-tensors.ts';

export interface SessionOptions {
  /** A file's path, or its bytes. */
  readonly model: string | Uint8Array;
  /** Null: no second session for runs that have the machine to themselves. */
  readonly wideThreads: number | null;
  readonly spinning: boolean;
  /** Whether its inputs have other sizes from run to run. */
  readonly varies: boolean;
}

/**
 * A model in the runtime, on one thread and, where asked for, a second time on several: the number of threads of a session
 * is fixed when it is made.
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
      throw new ModelRefusedError(`the runtime refuses it: ${oneLine(error)}`, { cause: error });
    }
  }

  private constructor(narrow: InferenceSession, wide: InferenceSession | null) {
    this.inputs = infosOf('input', narrow.inputMetadata);
    this.outputs = infosOf('output', narrow.outputMetadata);
    this.#narrow = narrow;
    this.#wide = wide;
  }

  /** Gives its memory back; nothing may run any more. */
  async release(): Promise<void> {
    await this.#narrow.release();
    await this.#wide?.release();
  }

  get hasWide(): boolean {
    return this.#wide !== null;
  }

  /**
   * Blocks this thread while it runs. The outputs, in the model's order or as asked for, lie in the runtime's memory.
   * @param varies whether the inputs have other sizes from run to run: then what this one needed is given back after it
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
      throw new InferenceError('inference_failed', `the runtime could not run the model: ${oneLine(error)}`, {
        cause: error,
      });
    }
  }
}

const SHRINK = { extra: { memory: { enable_memory_arena_shrinkage: 'cpu:0' } } };

function create(options: SessionOptions, threads: number): Promise<InferenceSession> {
  const { model } = options;
  // Two ways in, by the type of what is given.
  return typeof model === 'string'
    ? InferenceSession.create(model, settings(threads, options))
    : InferenceSession.create(model, settings(threads, options));
}

function settings(threads: number, { spinning, varies }: SessionOptions): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    // Always set: the runtime's default binds threads to cores, which fails where a process may not use all of them.
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // A plan of one run's memory, kept for each shape: worth it for one shape alone.
    enableMemPattern: !varies,
    // Its errors come as exceptions; it would write them to standard error as well.
    logSeverityLevel: 4,
    extra: {
      session: {
        intra_op: { allow_spinning: spinning ? '1' : '0' },
        // With spinning, only inside a run: between runs the cores belong to others.
        force_spinning_stop: '1',
      },
      // On arm64 these kernels keep gigabytes when sizes vary (microsoft/onnxruntime#29538).
      ...(process.arch === 'arm64' && { mlas: { disable_kleidiai: '1' } }),
    },
  };
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*\n\s*/g, '; ').slice(0, 500);
}
