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

/** A model name, or the beginning of names with `*` behind it, and who answers for it. */
export interface Route {
  readonly model: string;
  /** Other names for the same model; its answers carry the one that was asked for. */
  readonly aliases?: readonly string[];
  /** The name that the upstream knows the model by; a star stands for what the star of `model` did. Default: the client's. */
  readonly upstreamModel?: string;
  /**
   * The generations of the provider-defined tools that the model takes, or `as_listed` for whatever the client lists.
   * Default: by the upstream's name for the model, and as listed where that is not known.
   */
  readonly tools?: RouteTools;
  /** What is done to a conversation where the request does not say otherwise. */
  readonly context?: ContextCare;
  /** The largest picture that the model takes; default: by the upstream's name for it. */
  readonly imageLimits?: ImageLimits;
  /** A file that every request and its reply are written to, as the client says them; absolute. */
  readonly record?: string;
  /** What the list of models tells of it. */
  readonly listing?: Partial<Omit<ModelListing, 'id' | 'aliases' | 'provider' | 'pattern'>>;
  /** The provider's name in the configuration; default: its own. */
  readonly providerName?: string;
  /** A text in place of a provider says why there is none, e.g. that a key is missing. */
  readonly provider: ModelProvider | string;
}

/** What is known of a model without asking anybody. */
export interface ModelListing {
  /** The model's name; the beginning of names with `*` behind it where `pattern` is true. */
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
   * The provider with everything that stands before it: context care, the bridge between the generations of tools, the
   * upstream's own name for the model.
   *
   * @throws {ModelNotFoundError} when no route fits the model, or when its route has no provider.
   */
  providerFor(model: string): ModelProvider;
}

/** Which models there are, as far as the routes tell. */
export interface ModelCatalog {
  /** The models that have a provider, in the order of the routes. */
  models(): readonly ModelListing[];
  /** The model of this name or alias, under this name; undefined where `providerFor` would throw. */
  describe(model: string): ModelListing | undefined;
  /** The routes whose upstreams can be asked which models they have, in their order. */
  upstreams(): readonly AskableRoute[];
}

interface RegistryOptions {
  /** Scales pictures for `fit_images`; absent, requests that ask for it are refused. */
  readonly scaler?: PictureScaler | undefined;
}

/** The first route that fits decides. */
export function createProviderRegistry(
  routes: readonly Route[],
  { scaler }: RegistryOptions = {},
): ProviderRegistry & ModelCatalog {
  // Made once: a recording goes on from one request to the next.
  const recorders = new Map(
    routes.flatMap((route): [Route, ModelProvider][] => {
      const { record: file, provider } = route;
      if (file === undefined || typeof provider === 'string') return [];
      return [
        [
          route,
          withRecording(
            byModel(provider.name, (model) => translated(route, provider, model)),
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
      const asked = recorders.get(route) ?? translated(route, route.provider, model);
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
            directory: provider.models,
            clientName: (upstream) => {
              const name = clientName(route, upstream);
              return answersFor(name) ? name : undefined;
            },
            upstreamName: (name) => (answersFor(name) ? upstreamName(route, name) : undefined),
          },
        ];
      }),
  };
}

/** A provider under the client's names, for the model and for the tools, with edits of the context where it has none. */
function translated(route: Route, provider: ModelProvider, model: string): ModelProvider {
  const upstream = upstreamName(route, model);
  const named = withModelName(provider, { provider: nameOf(route), client: model, upstream });
  const tools = route.tools ?? modelTools(upstream) ?? 'as_listed';
  const said = tools === 'as_listed' ? named : withBridge(named, tools);
  return provider.lacksContextEdits === true ? withContextEdits(said) : said;
}

/** One provider for many models: each request is for the provider of its model. */
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

/** The other way round; undefined where no name of the client, or more than one, means that model. */
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

function nameOf({ provider, providerName }: Route): string {
  return providerName ?? (typeof provider === 'string' ? '' : provider.name);
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
