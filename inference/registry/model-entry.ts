import { InferenceError, ModelRefusedError, serviceClosed } from '../common/errors.ts';
import type { TensorInfo } from '../common/tensor.ts';
import type { ModelSpec } from '../models/model-spec.ts';
import type { Sidecar } from '../models/sidecar.ts';
import type { ModelPool } from '../runtime/model-pool.ts';
import type { ModelFiles } from '../runtime/worker/messages.ts';
import type { BuiltinModel } from './builtin-models.ts';
import { stampOf, readSidecar, versionOf, type FoundModel } from './folder.ts';

/** A model and its state. */
export interface ModelStatus {
  readonly name: string;
  /** The first 12 hex digits of the SHA-256 of its files. */
  readonly version: string;
  /** `builtin`: it comes from a package; `file`: it was found in the models folder. */
  readonly source: 'builtin' | 'file';
  /** `ready` while any version serves, also where a newer file was refused. */
  readonly state: 'loading' | 'ready' | 'refused' | 'unloaded';
  /** Why the model, or its newest file, was refused. */
  readonly reason: string | null;
  /** `ocr` reads text with two models in a row; every other model is one ONNX file. */
  readonly kind: 'onnx' | 'ocr';
  /** Null until it has been loaded once. That of `ocr` is its detector's. */
  readonly spec: ModelSpec | null;
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

/** Starts the workers of a version. Rejects with ModelRefusedError. */
export type StartPool = (options: {
  readonly name: string;
  readonly files: ModelFiles;
  readonly sidecar: Sidecar;
  /** Whether it comes from a package, so that its loading is known to be harmless. */
  readonly shipped: boolean;
  readonly versionWith: (externalFiles: readonly string[]) => Promise<string>;
  /** Ends the loading. */
  readonly signal: AbortSignal;
}) => Promise<ModelPool>;

export interface EntryEvents {
  readonly ready: (name: string, ms: number) => void;
  readonly refused: (name: string, reason: string) => void;
  readonly unloaded: (name: string) => void;
}

/** A load that failed through no fault of the files is tried again after the first delay, which doubles each time. */
const RETRY_MS = { first: 500, most: 60_000 };

/** How long runs under way may take when a model is unloaded. */
const UNLOAD_GRACE_MS = 5000;

/**
 * A model's name and what serves under it: one version at a time. A newer version replaces it when it has been loaded
 * and warmed up; the older one then finishes what it was given.
 */
export class ModelEntry {
  readonly name: string;
  /** The packaged model of this name; a file of the same name takes its place. */
  readonly builtin: BuiltinModel | undefined;
  file: FoundModel | undefined;
  /** The signature of the files that were last loaded or refused. */
  attempted: string | undefined;
  unloadedByHand = false;
  readonly #start: StartPool;
  readonly #events: EntryEvents;
  #serving: ModelPool | undefined;
  #reason: string | null = null;
  #failures = 0;
  #retryAt = Infinity;
  #loading: Promise<ModelPool> | undefined;
  #externals = '';
  #waiters: { resolve: (pool: ModelPool) => void; reject: (error: unknown) => void }[] = [];
  readonly #retiring = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** Ends the load under way whose file is gone. */
  #gone = new AbortController();

  constructor(name: string, builtin: BuiltinModel | undefined, start: StartPool, events: EntryEvents) {
    this.name = name;
    this.builtin = builtin;
    this.#start = start;
    this.#events = events;
  }

  get serving(): ModelPool | undefined {
    return this.#serving;
  }

  get loading(): boolean {
    return this.#loading !== undefined;
  }

  /** Whether a load should be tried again. */
  get due(): boolean {
    return !this.loading && Date.now() >= this.#retryAt;
  }

  /** Whether the files that are there now have been loaded or refused, or are not to be loaded. */
  get settled(): boolean {
    return !this.loading && (this.file === undefined || this.attempted !== undefined || this.unloadedByHand);
  }

  get status(): ModelStatus {
    const { name } = this;
    const model = this.#serving?.model;
    return {
      name,
      version: this.#serving?.version ?? '',
      source: this.file === undefined ? 'builtin' : 'file',
      state: this.#state(),
      reason: this.#reason,
      kind: this.file === undefined ? (this.builtin?.kind ?? 'onnx') : 'onnx',
      spec: model?.spec ?? null,
      inputs: model?.inputs ?? [],
      outputs: model?.outputs ?? [],
    };
  }

  /**
   * Finds the pool that answers requests. It resolves at once where the model serves, otherwise when it has been
   * loaded.
   */
  async pool(): Promise<ModelPool> {
    if (this.#serving !== undefined) return this.#serving;
    if (this.unloadedByHand) throw this.#unavailable('was unloaded');
    if (this.#reason !== null && !this.loading && !this.due)
      throw this.#unavailable(`was refused: ${this.#reason}`);
    try {
      if (this.#loading !== undefined) return await this.#loading;
      if (this.file === undefined || this.due) return await this.load();
      // The registry waits until the file is complete.
      return await new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
    } catch (error) {
      throw error instanceof ModelRefusedError ? this.#unavailable(`was refused: ${error.message}`) : error;
    }
  }

  /** Loads the files that are there now, after any load under way, and serves them. @throws {ModelRefusedError} */
  async load(): Promise<ModelPool> {
    while (this.#loading !== undefined) await this.#loading.catch(() => undefined);
    this.unloadedByHand = false;
    this.attempted = this.file?.signature;
    const loading = this.#load();
    this.#loading = loading;
    let result: { pool: ModelPool } | { error: unknown };
    try {
      result = { pool: await loading };
    } catch (error) {
      result = { error };
    }
    this.#loading = undefined;
    for (const { resolve, reject } of this.#waiters.splice(0)) {
      if ('pool' in result) resolve(result.pool);
      else reject(result.error);
    }
    if ('pool' in result) return result.pool;
    throw result.error;
  }

  /** Whether files beside the model that hold the served version's weights have changed. */
  async externalsChanged(): Promise<boolean> {
    const files = this.#serving?.model.externalFiles ?? [];
    return files.length > 0 && (await signatureOf(files)) !== this.#externals;
  }

  /** Ends what serves. Its memory is free when this resolves. */
  async unload(options: { readonly byHand: boolean; readonly graceMs?: number }): Promise<void> {
    this.unloadedByHand = options.byHand;
    await this.#loading?.catch(() => undefined);
    const pool = this.#serving;
    this.#serving = undefined;
    this.#reason = null;
    for (const { reject } of this.#waiters.splice(0)) reject(this.#unavailable('was unloaded'));
    await pool?.close(options.graceMs ?? UNLOAD_GRACE_MS);
    // The end of the process does not wait for runs of an older version.
    if (!this.#closing.signal.aborted) await Promise.all(this.#retiring);
    if (pool !== undefined) this.#events.unloaded(this.name);
  }

  /**
   * Ends a load under way and the workers, for the end of the process. Runs may go on for `graceMs` and a little more.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort(serviceClosed());
    await this.unload({ byHand: true, graceMs });
  }

  /** Takes the model, whose file is gone, out of service. Requests that it was given are still answered. */
  retire(): void {
    this.#gone.abort(new ModelRefusedError('its file is gone'));
    const pool = this.#serving;
    this.#serving = undefined;
    this.#reason = null;
    this.attempted = undefined;
    for (const { reject } of this.#waiters.splice(0)) reject(this.#unavailable('is gone'));
    if (pool === undefined) return;
    this.#drain(pool);
    this.#events.unloaded(this.name);
  }

  async #load(): Promise<ModelPool> {
    const { signal } = (this.#gone = new AbortController());
    try {
      const pool = await this.#startNew(signal);
      this.#reason = null;
      this.#failures = 0;
      this.#retryAt = Infinity;
      return pool;
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      if (signal.aborted) throw signal.reason;
      const refused =
        error instanceof ModelRefusedError
          ? error
          : new ModelRefusedError(`it could not be loaded: ${(error as Error).message}`, { cause: error });
      // A model whose files are at fault is tried again when they change.
      const delay = Math.min(RETRY_MS.first * 2 ** this.#failures++, RETRY_MS.most);
      this.#retryAt = refused === error ? Infinity : Date.now() + delay;
      this.#reason = refused.message;
      this.#events.refused(this.name, refused.message);
      throw refused;
    }
  }

  async #startNew(gone: AbortSignal): Promise<ModelPool> {
    const { files, sidecar, paths, texts } = await this.#read();
    const base = await versionOf(paths, texts);
    const old = this.#serving;
    const externals = await signatureOf(old?.model.externalFiles ?? []);
    const same = old?.model.externalFiles.length === 0 ? old.version === base : false;
    if (old !== undefined && same && externals === this.#externals) return old;
    const pool = await this.#start({
      name: this.name,
      files,
      sidecar,
      shipped: this.file === undefined,
      signal: AbortSignal.any([this.#closing.signal, gone]),
      versionWith: (more) =>
        more.length === 0 ? Promise.resolve(base) : versionOf([...paths, ...more], texts),
    });
    this.#externals = await signatureOf(pool.model.externalFiles);
    if (gone.aborted) {
      this.#drain(pool);
      throw gone.reason;
    }
    this.#serving = pool;
    if (old !== undefined) this.#drain(old);
    this.#events.ready(this.name, pool.model.ms);
    return pool;
  }

  async #read(): Promise<{ files: ModelFiles; sidecar: Sidecar; paths: readonly string[]; texts: string[] }> {
    if (this.file !== undefined) {
      const { model } = this.file;
      const { text, sidecar } = await readSidecar(this.file.sidecar);
      const files: ModelFiles = { kind: 'onnx', onnx: { model, sidecar } };
      return { files, sidecar, paths: [model.path], texts: [text] };
    }
    if (this.builtin === undefined) throw new ModelRefusedError('its file is gone');
    return { files: await this.builtin.files(), sidecar: {}, paths: this.builtin.paths, texts: [] };
  }

  #drain(pool: ModelPool): void {
    const drained = pool.drain().finally(() => this.#retiring.delete(drained));
    this.#retiring.add(drained);
  }

  #state(): ModelStatus['state'] {
    if (this.#serving !== undefined) return 'ready';
    if (this.unloadedByHand) return 'unloaded';
    if (this.loading) return 'loading';
    if (this.#reason !== null) return 'refused';
    return this.file === undefined ? 'unloaded' : 'loading';
  }

  #unavailable(what: string): InferenceError {
    return new InferenceError('model_unavailable', `the model ${this.name} ${what}`, { field: 'model' });
  }
}

async function signatureOf(files: readonly string[]): Promise<string> {
  const stamps = await Promise.all(files.map((file) => stampOf(file)));
  return stamps.map((stamp) => stamp?.signature ?? '').join('|');
}
