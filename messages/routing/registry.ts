import { withBridge } from '../bridge/bridge.ts';
import { modelTools } from '../bridge/model-tools.ts';
import type { ContextCare } from '../api/request.ts';
import type { ImageLimits } from '../models/image-limits.ts';
import type { PictureScaler } from '../context/picture-scaler.ts';
import { withContextEdits } from '../context/with-context-edits.ts';
import { withContextCare } from '../context/with-context-care.ts';
import { ModelNotFoundError } from '../api/errors.ts';
import type { AskableRoute } from '../models/upstream-model.ts';
import { countInputTokens } from '../tokens/request-tokens.ts';
import type { ModelProvider } from '../providers/provider.ts';
import { withModelName } from './with-model-name.ts';
import { withRecording } from '../providers/replay/with-recording.ts';
import type { RouteTools } from './route-tools.ts';
import { withCallers } from './with-callers.ts';
import type { ModelPrice } from './price.ts';
import { type KnownProvider, nameOf, type ProviderAbout, ProviderBook } from './provider-book.ts';
import type { ProviderStatus } from './provider-status.ts';
import type { ModelRequestObserver } from '../figures/observer.ts';

/** A model's name, or a prefix of names that ends in `*`, and the provider that answers for it. */
export interface Route {
  readonly model: string;
  /** Other names for the same model. An answer holds the name of the request. */
  readonly aliases?: readonly string[];
  /**
   * The upstream's name for the model; a star stands for the same text as that of `model`. Default: the client's name.
   */
  readonly upstreamModel?: string;
  /**
   * The generations of the provider-defined tools that the model takes, or `as_listed` for whatever the client lists.
   * Default: the generations of the upstream's model, and `as_listed` where they are not known.
   */
  readonly tools?: RouteTools;
  /** The defaults for `context_care`. */
  readonly context?: ContextCare;
  /** The largest picture that the model takes; by default the upstream's name for the model decides. */
  readonly imageLimits?: ImageLimits;
  /** The absolute path of a file to which requests and replies are recorded. */
  readonly record?: string;
  /** The facts for the list of models. */
  readonly listing?: Partial<Omit<ModelListing, 'id' | 'aliases' | 'provider' | 'pattern'>>;
  /** The provider's name in the configuration; default: the provider's own name. */
  readonly providerName?: string;
  /** What is told of the provider. */
  readonly about?: ProviderAbout;
  readonly price?: ModelPrice;
  /** A text in place of a provider says why there is none, such as that a key is missing. */
  readonly provider: ModelProvider | string;
}

/** The facts about a model that are known without asking its upstream. */
export interface ModelListing {
  /** The model's name, or a prefix of names that ends in `*` where `pattern` is true. */
  readonly id: string;
  readonly aliases: readonly string[];
  /** The provider's name in the configuration. */
  readonly provider: string;
  readonly pattern: boolean;
  readonly displayName: string | null;
  /** RFC 3339. */
  readonly createdAt: string | null;
  readonly maxInputTokens: number | null;
  readonly maxTokens: number | null;
}

/** Which provider answers for which model. */
export interface ProviderRegistry {
  /**
   * Finds the provider of a model, wrapped in context care, the bridge between generations of tools, and the
   * translation of the model's name.
   *
   * @throws {ModelNotFoundError} when no route fits the model, or its route has no provider
   */
  providerFor(model: string): ModelProvider;
}

/** The models of the routes. */
export interface ModelCatalog {
  /** Lists the models that have a provider, in the order of the routes. */
  models(): readonly ModelListing[];
  /** Finds a model by its name or alias; undefined where `providerFor` would throw. */
  describe(model: string): ModelListing | undefined;
  /** Lists the routes whose upstreams can be asked for their models. */
  upstreams(): readonly AskableRoute[];
  /** Tells of every provider what this process has seen of it, in the order of the routes. */
  providers(): readonly ProviderStatus[];
  /** Asks a provider for its models and notes whether it answers; false where there is none of this name that could be asked. */
  check(provider: string, signal: AbortSignal): Promise<boolean>;
}

interface RegistryOptions {
  /** Providers that may have no route. */
  readonly providers?: readonly KnownProvider[];
  /** Milliseconds since the epoch; default Date.now. */
  readonly now?: () => number;
  /** Scales pictures for `fit_images`. Without it, requests that ask for that are refused. */
  readonly scaler?: PictureScaler | undefined;
  /** Learns of every request to a provider. */
  readonly observer?: ModelRequestObserver | undefined;
}

/**
 * Makes a registry in which the first route that fits a model decides.
 *
 * @example createProviderRegistry([{ model: 'claude-*', provider: createAnthropicProvider({ apiKey }) }])
 */
export function createProviderRegistry(
  routes: readonly Route[],
  { scaler, observer, providers = [], now = Date.now }: RegistryOptions = {},
): ProviderRegistry & ModelCatalog {
  const book = new ProviderBook(routes, providers, now, observer);
  // Recorders are made once, since a recording continues from one request to the next.
  const recorders = new Map(
    routes.flatMap((route): [Route, ModelProvider][] => {
      const { record: file, provider } = route;
      if (file === undefined || typeof provider === 'string') return [];
      return [
        [
          route,
          withRecording(
            byModel(provider.name, (model) => translated(route, book.counted(route, provider, model), model)),
            { file },
          ),
        ],
      ];
    }),
  );
  const routeFor = (model: string): Route | undefined => routes.find((route) => fits(route, model));
  return {
    providerFor(model) {
      const route = routeFor(model);
      if (route === undefined) throw new ModelNotFoundError(model);
      if (typeof route.provider === 'string') throw new ModelNotFoundError(model, route.provider);
      const asked =
        recorders.get(route) ?? translated(route, book.counted(route, route.provider, model), model);
      return withContextCare(withCallers(asked), {
        model: upstreamName(route, model),
        defaults: route.context,
        imageLimits: route.imageLimits,
        scaler,
      });
    },
    models: () => routes.filter((route) => typeof route.provider !== 'string').map(listingOf),
    describe(model) {
      const route = routeFor(model);
      if (route === undefined || typeof route.provider === 'string') return undefined;
      return { ...listingOf(route), id: model, pattern: false };
    },
    upstreams: () =>
      routes.flatMap((route): AskableRoute[] => {
        const { provider, model } = route;
        if (typeof provider === 'string' || provider.models === undefined) return [];
        const answersFor = (name: string | undefined): name is string =>
          name !== undefined && routeFor(name) === route;
        return [
          {
            model,
            directory: book.directory(nameOf(route), provider.models),
            clientName: (upstream) => {
              const name = clientName(route, upstream);
              return answersFor(name) ? name : undefined;
            },
            upstreamName: (name) => (answersFor(name) ? upstreamName(route, name) : undefined),
          },
        ];
      }),
    providers: () => book.statuses(),
    check: (provider, signal) => book.check(provider, signal),
  };
}

/** Translates the names of model and tools for a provider, and edits the context where the provider cannot. */
function translated(route: Route, provider: ModelProvider, model: string): ModelProvider {
  const upstream = upstreamName(route, model);
  const named = withModelName(provider, { provider: nameOf(route), client: model, upstream });
  const tools = route.tools ?? modelTools(upstream) ?? 'as_listed';
  const said = tools === 'as_listed' ? named : withBridge(named, tools);
  return provider.lacksContextEdits === true ? withContextEdits(said) : said;
}

/** Makes one provider of many, which sends each request to the provider of its model. */
function byModel(name: string, providerOf: (model: string) => ModelProvider): ModelProvider {
  return {
    name,
    reply: (request, options) => providerOf(request.model).reply(request, options),
    stream: (request, options) => providerOf(request.model).stream(request, options),
    countTokens: async (request, options) =>
      providerOf(request.model).countTokens?.(request, options) ?? countInputTokens(request),
  };
}

function fits({ model: pattern, aliases = [] }: Route, model: string): boolean {
  if (aliases.includes(model)) return true;
  return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model;
}

function upstreamName({ model: pattern, upstreamModel, aliases = [] }: Route, model: string): string {
  if (upstreamModel === undefined) return aliases.includes(model) ? pattern : model;
  if (!pattern.endsWith('*')) return upstreamModel;
  const rest = model.slice(pattern.length - 1);
  return upstreamModel.replace('*', () => rest);
}

/** Finds the client's name for an upstream's model; undefined where there is none or more than one. */
function clientName({ model: pattern, upstreamModel }: Route, upstream: string): string | undefined {
  if (!pattern.endsWith('*')) return (upstreamModel ?? pattern) === upstream ? pattern : undefined;
  if (upstreamModel === undefined) return upstream;
  const [before, after] = upstreamModel.split('*', 2);
  if (before === undefined || after === undefined) return undefined;
  const fitsIt =
    upstream.length >= before.length + after.length &&
    upstream.startsWith(before) &&
    upstream.endsWith(after);
  return fitsIt
    ? pattern.slice(0, -1) + upstream.slice(before.length, upstream.length - after.length)
    : undefined;
}

function listingOf(route: Route): ModelListing {
  return {
    id: route.model,
    aliases: route.aliases ?? [],
    provider: nameOf(route),
    pattern: route.model.endsWith('*'),
    displayName: null,
    createdAt: null,
    maxInputTokens: null,
    maxTokens: null,
    ...route.listing,
  };
}
