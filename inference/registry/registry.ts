import { InferenceError, ModelRefusedError } from '../common/errors.ts';
import type { BuiltinModel } from './builtin-models.ts';
import { scanFolder, findModel, type FoundModel } from './folder.ts';
import { ModelEntry, type EntryEvents, type ModelStatus, type StartPool } from './model-entry.ts';

export interface RegistryOptions {
  readonly folder: string;
  readonly builtins: readonly BuiltinModel[];
  /** Loaded from the start, also when it is a built-in; the other built-ins are loaded when first asked for. */
  readonly defaultModel: string;
  /** Milliseconds between two looks at the folder. */
  readonly pollMs: number;
  readonly start: StartPool;
  readonly events: EntryEvents;
  /** The folder cannot be looked at. */
  readonly onError: (error: unknown) => void;
}

/**
 * The models of a folder, kept in step with it. It is looked at in turns: change notices are lost on network and container
 * mounts, and do not say when a copy is over. A new or changed file is loaded when two looks have found it the same, so
 * that one that is still being copied is never taken.
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

  /** Resolves when each model of the first look, and the default model, has been loaded or refused. */
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

  /** Takes the model's files as they are now. @throws {InferenceError | ModelRefusedError} */
  async load(name: string): Promise<ModelStatus> {
    const found = await findModel(this.#options.folder, name);
    const entry = this.#entries.get(name) ?? (found && this.#newEntry(name, undefined));
    if (entry === undefined) throw notFound(name);
    this.#entries.set(name, entry);
    if (found === undefined && entry.builtin === undefined) throw new ModelRefusedError('its file is gone');
    entry.file = found;
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
    // A refusal stands in the entry's state; here only its end counts.
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
        // Gone for two looks: between a removal and a new copy there may be a moment.
        if (entry.file !== undefined && !found.has(entry.name) && !before.has(entry.name)) this.#gone(entry);
      }
    } catch (error) {
      this.#options.onError(error);
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#scan(), this.#options.pollMs);
    // Before the first models stand it is what the process waits for; after that it holds no process up.
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
