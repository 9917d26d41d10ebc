import type { ModelInfo } from '@anthropic-ai/sdk/resources/models.js';
import { ModelNotFoundError } from '../api/errors.ts';
import type { ModelCatalog, ModelListing } from './registry.ts';
import type { ModelDirectory, UpstreamModel } from '../models/upstream-model.ts';

/** The time that an upstream has to list its models, before the answer goes without them. */
const ASK_MS = 3000;
/** The time for which an upstream's list is kept, and the pause after a fault. */
const FRESH_MS = 5 * 60_000;
const FAULT_MS = 30_000;

/** The API's date for an unknown release. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z';

interface ModelListOptions {
  readonly catalog: ModelCatalog;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  /** Default 3 s. */
  readonly askMs?: number;
}

/** The models that clients may name. */
interface ModelList {
  /** Lists the most recent models first, and those of unknown date last, in the order of the routes. */
  all(): Promise<readonly ModelInfo[]>;
  /**
   * Finds the model of a name or an alias.
   * @throws {ModelNotFoundError} for a name that no route answers for, or that its upstream says it does not have
   */
  retrieve(name: string): Promise<ModelInfo>;
}

interface Remembered {
  readonly until: number;
  /** Empty when the upstream could not say. */
  readonly models: Promise<readonly UpstreamModel[]>;
}

/**
 * Makes the list of models: the exact names of routes and, for patterns, the upstream's models that fit. The list of an
 * upstream is kept for a while. If an upstream is slow or broken, only its own models are missing.
 *
 * @example const models = await createModelList({ catalog: providers }).all();
 */
export function createModelList({ catalog, now = Date.now, askMs = ASK_MS }: ModelListOptions): ModelList {
  const lists = new WeakMap<ModelDirectory, Remembered>();

  const listOf = (directory: ModelDirectory): Remembered['models'] => {
    const known = lists.get(directory);
    if (known !== undefined && now() < known.until) return known.models;
    const models = inTime((signal) => directory.list({ signal }), askMs).catch(() => {
      lists.set(directory, { until: now() + FAULT_MS, models: Promise.resolve([]) });
      return [];
    });
    lists.set(directory, { until: now() + FRESH_MS, models });
    return models;
  };

  const all = async (): Promise<readonly ModelInfo[]> => {
    const infos = new Map<string, ModelInfo>();
    const listings = catalog.models();
    for (const listing of listings) {
      if (!listing.pattern && !infos.has(listing.id)) infos.set(listing.id, infoOf(listing, undefined));
    }
    const routes = catalog.upstreams();
    const answers = await Promise.all(routes.map(({ directory }) => listOf(directory)));
    for (const [index, route] of routes.entries()) {
      const listing = listings.find(({ id }) => id === route.model);
      for (const model of answers[index] ?? []) {
        const id = route.clientName(model.id);
        if (id !== undefined && listing !== undefined) infos.set(id, infoOf({ ...listing, id }, model));
      }
    }
    return [...infos.values()].toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  };

  /** Asks the upstream of a pattern about a name that is not in its list; it may be an alias. */
  const askFor = async (listing: ModelListing): Promise<ModelInfo> => {
    const { id } = listing;
    const route = catalog.upstreams().find((each) => each.upstreamName(id) !== undefined);
    if (route === undefined) return infoOf(listing, undefined);
    const model = await inTime(
      (signal) => route.directory.retrieve(route.upstreamName(id) ?? id, { signal }),
      askMs,
    ).catch(() => null);
    if (model === undefined) throw new ModelNotFoundError(id);
    if (model === null) return infoOf(listing, undefined);
    return infoOf({ ...listing, id: route.clientName(model.id) ?? id }, model);
  };

  return {
    all,
    async retrieve(name) {
      const listing = catalog.describe(name);
      if (listing === undefined) throw new ModelNotFoundError(name);
      const id = catalog.models().find(({ aliases }) => aliases.includes(name))?.id ?? name;
      return (await all()).find((info) => info.id === id) ?? askFor({ ...listing, id });
    },
  };
}

/** The configuration takes precedence over the upstream. */
function infoOf(listing: ModelListing, upstream: UpstreamModel | undefined): ModelInfo {
  const { id, displayName, createdAt, maxInputTokens, maxTokens } = listing;
  return {
    deprecated_at: null,
    lifecycle: 'active',
    line: null,
    retires_at: null,
    capabilities: null,
    ...upstream,
    type: 'model',
    id,
    display_name: displayName ?? upstream?.display_name ?? id,
    created_at: createdAt ?? upstream?.created_at ?? UNKNOWN_DATE,
    max_input_tokens: maxInputTokens ?? upstream?.max_input_tokens ?? null,
    max_tokens: maxTokens ?? upstream?.max_tokens ?? null,
  };
}

/** Rejects after `ms` milliseconds, even if `work` ignores its signal. */
async function inTime<T>(work: (signal: AbortSignal) => Promise<T>, ms: number): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const timer = setTimeout(() => controller.abort(new Error(`nothing within ${ms} ms`)), ms);
  try {
    return await Promise.race([work(signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
