import { ProviderFigures } from '../figures/figures.ts';
import type { ModelRequestObserver } from '../figures/observer.ts';
import { directoryWithFigures, withFigures } from '../figures/with-figures.ts';
import type { ModelDirectory } from '../models/upstream-model.ts';
import type { ModelProvider } from '../providers/provider.ts';
import type { ProviderStatus, RoutedModel } from './provider-status.ts';
import type { Route } from './registry.ts';

/** What is told of a provider that has been configured. */
export interface ProviderAbout {
  /** The `type` in the providers file. */
  readonly kind: string;
  /** Without credentials; null where the provider knows it by itself, or is in this process. */
  readonly address: string | null;
  readonly key: ProviderStatus['key'];
}

/** A provider by its name in the configuration. */
export interface KnownProvider {
  readonly name: string;
  readonly about: ProviderAbout;
  readonly provider: ModelProvider;
}

/** A provider's name in the configuration. */
export function nameOf({ provider, providerName, about }: Route): string {
  return providerName ?? (typeof provider === 'string' ? (about?.kind ?? '') : provider.name);
}

interface Entry {
  readonly name: string;
  readonly about: ProviderAbout | undefined;
  /** A text says why there is none. */
  readonly provider: ModelProvider | string;
  readonly figures: ProviderFigures;
  readonly models: readonly RoutedModel[];
}

/** All providers by name, and what is counted of each. */
export class ProviderBook {
  readonly #now: () => number;
  readonly #observer: ModelRequestObserver | undefined;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** A provider's list is one object for all routes to it. */
  readonly #directories = new Map<ModelDirectory, ModelDirectory>();

  constructor(
    routes: readonly Route[],
    known: readonly KnownProvider[],
    now: () => number,
    observer?: ModelRequestObserver,
  ) {
    this.#now = now;
    this.#observer = observer;
    const routed = routes.map((route) => ({
      name: nameOf(route),
      about: route.about,
      provider: route.provider,
    }));
    const entries = [...routed, ...known].map(({ name, about, provider }): [string, Entry] => [
      name,
      { name, about, provider, figures: new ProviderFigures(now), models: modelsOf(routes, name) },
    ]);
    // The first of a name decides, in the order of the routes.
    this.#entries = new Map(entries.toReversed().toSorted((a, b) => placeOf(a[1]) - placeOf(b[1])));
  }

  /** The provider of a route, with what it is asked counted. */
  counted(route: Route, provider: ModelProvider, model: string): ModelProvider {
    const name = nameOf(route);
    const entry = this.#entries.get(name);
    if (entry === undefined) return provider;
    return withFigures(provider, model, entry.figures, this.#observer && { observer: this.#observer, name });
  }

  /** A provider's list of models, with what becomes of it noted. */
  directory(name: string, directory: ModelDirectory): ModelDirectory {
    const held = this.#directories.get(directory);
    const entry = this.#entries.get(name);
    if (held !== undefined || entry === undefined) return held ?? directory;
    const noted = directoryWithFigures(directory, entry.figures);
    this.#directories.set(directory, noted);
    return noted;
  }

  async check(name: string, signal: AbortSignal): Promise<boolean> {
    const provider = this.#entries.get(name)?.provider;
    if (provider === undefined || typeof provider === 'string' || provider.models === undefined) return false;
    // What came of it stands in the figures.
    await this.directory(name, provider.models)
      .list({ signal })
      .catch(() => undefined);
    return true;
  }

  statuses(): readonly ProviderStatus[] {
    return [...this.#entries.values()].map((entry) => statusOf(entry, this.#now()));
  }
}

/** Providers without a route come last. */
function placeOf({ models }: Entry): number {
  return models[0]?.position ?? Number.MAX_SAFE_INTEGER;
}

function modelsOf(routes: readonly Route[], name: string): readonly RoutedModel[] {
  return routes.flatMap((route, position) =>
    nameOf(route) === name
      ? [
          {
            position,
            model: route.model,
            pattern: route.model.endsWith('*'),
            aliases: route.aliases ?? [],
            display_name: route.listing?.displayName ?? null,
            price: route.price ?? null,
          },
        ]
      : [],
  );
}

function statusOf({ name, about, provider, figures, models }: Entry, now: number): ProviderStatus {
  const { contact, models: used, ...counts } = figures.now();
  const isOff = typeof provider === 'string';
  const waits = contact?.until != null && contact.until > now;
  return {
    name,
    kind: about?.kind ?? null,
    address: about?.address ?? null,
    key: about?.key ?? 'none',
    state: isOff ? 'off' : (contact?.state ?? 'unknown'),
    reason: isOff ? provider : (contact?.reason ?? null),
    waiting_until: waits ? contact.until : null,
    last_contact_at: contact?.at ?? null,
    checkable: !isOff && provider.models !== undefined,
    ...counts,
    models,
    used: [...used].map(([model, use]) => ({ model, ...use })),
  };
}
