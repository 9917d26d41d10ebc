import { InferenceError, ModelRefusedError, serviceClosed } from '../common/errors.ts';
import type { BuiltinModel } from './builtin-models.ts';
import { scanFolder, findModel, type FoundModel } from './folder.ts';
import { ModelEntry, type EntryEvents, type ModelStatus, type StartPool } from './model-entry.ts';

export interface RegistryOptions {
  readonly folder: string;
  readonly builtins: readonly BuiltinModel[];
  /**
   * It is loaded at the start, also where it is a built-in. Other built-ins are loaded when they are first asked for.
   */
  readonly defaultModel: string;
  /** Milliseconds between two scans of the folder. */
  readonly pollMs: number;
  readonly start: StartPool;
  readonly events: EntryEvents;
  /** The folder cannot be read. */
  readonly onError: (error: unknown) => void;
}

/**
 * The models of a folder, kept up to date with it. The folder is polled, because change notices get lost on network and
 * container mounts, and do not say when a copy is complete. A new or changed file is loaded when two scans have found
 * it the same, so that a file that is still being copied is not loaded.
 */
export class ModelRegistry {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<string, ModelEntry>();
  readonly #first: Promise<void>;
  #seen: ReadonlyMap<string, FoundModel> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #settled = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    for (const builtin of options.builtins)
      this.#entries.set(builtin.name, this.#newEntry(builtin.name, builtin));
    this.#first = this.#settle();
  }

  /** Resolves when each model of the first scan, and the default model, has been loaded or refused. */
  settled(): Promise<void> {
    return this.#first;
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  list(): readonly ModelStatus[] {
    return [...this.#entries.values()]
      .map((entry) => entry.status)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws {InferenceError} model_not_found */
  entry(name: string): ModelEntry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw notFound(name);
    return entry;
  }

  /** Loads the model's files as they are now. @throws {InferenceError | ModelRefusedError} */
  async load(name: string): Promise<ModelStatus> {
    const found = await findModel(this.#options.folder, name);
    if (this.#closed) throw serviceClosed();
    const entry = this.#entries.get(name) ?? (found && this.#newEntry(name, undefined));
    if (entry === undefined) throw notFound(name);
    this.#entries.set(name, entry);
    if (found === undefined && entry.builtin === undefined) throw new ModelRefusedError('its file is gone');
    entry.file = found;
    // A scan that began before the file was there must not take it for removed.
    if (found !== undefined) this.#seen = new Map(this.#seen).set(name, found);
    await entry.load();
    return entry.status;
  }

  async unload(name: string): Promise<void> {
    await this.entry(name).unload({ byHand: true });
  }

  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#entries.values()].map((entry) => entry.close(graceMs)));
  }

  async #settle(): Promise<void> {
    await this.#scan();
    const first = [...this.#entries.values()].filter(({ file }) => file !== undefined);
    const fallback = this.#entries.get(this.#options.defaultModel);
    // A refusal is in the entry's status.
    if (fallback?.file === undefined) await fallback?.load().catch(() => undefined);
    const loads = first.filter(({ settled }) => !settled).map((entry) => entry.pool());
    await Promise.allSettled(loads);
    this.#settled = true;
    this.#timer?.unref();
  }

  async #scan(): Promise<void> {
    try {
      const found = await scanFolder(this.#options.folder);
      if (this.#closed) return;
      const before = this.#seen;
      this.#seen = found;
      for (const model of found.values()) await this.#update(model, before.get(model.name));
      const fallback = this.#entries.get(this.#options.defaultModel);
      if (fallback?.file === undefined && fallback?.due === true) fallback.load().catch(() => undefined);
      for (const entry of this.#entries.values()) {
        // A file counts as removed after two scans, because a new copy may follow a removal.
        const isSeen = [found, before, this.#seen].some((models) => models.has(entry.name));
        if (entry.file !== undefined && !isSeen) this.#gone(entry);
      }
    } catch (error) {
      this.#options.onError(error);
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#scan(), this.#options.pollMs);
    // The timer keeps the process alive until the first models have been loaded, and not afterwards.
    if (this.#settled) this.#timer.unref();
  }

  async #update(found: FoundModel, before: FoundModel | undefined): Promise<void> {
    const entry = this.#entries.get(found.name) ?? this.#newEntry(found.name, undefined);
    this.#entries.set(found.name, entry);
    entry.file = found;
    if (entry.loading || entry.unloadedByHand || this.#closed) return;
    const still = before?.signature === found.signature;
    const old = Date.now() - found.changedAt > 2 * this.#options.pollMs;
    if (!still && !old) return;
    if (entry.attempted === found.signature && !entry.due && !(await entry.externalsChanged())) return;
    entry.load().catch(() => undefined);
  }

  #gone(entry: ModelEntry): void {
    entry.file = undefined;
    entry.unloadedByHand = false;
    entry.retire();
    if (entry.builtin === undefined) this.#entries.delete(entry.name);
    else if (entry.name === this.#options.defaultModel) entry.load().catch(() => undefined);
  }

  #newEntry(name: string, builtin: BuiltinModel | undefined): ModelEntry {
    return new ModelEntry(name, builtin, this.#options.start, this.#options.events);
  }
}

function notFound(name: string): InferenceError {
  return new InferenceError('model_not_found', `there is no model ${name}`, { field: 'model' });
}
