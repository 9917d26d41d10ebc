import { ModelNotFound } from '../errors.ts';
import type { ModelProvider } from './provider.ts';

/** A model name, or the beginning of names with `*` behind it, and who answers for it. */
export interface Route {
  readonly model: string;
  /** A text in place of a provider says why there is none, e.g. that a key is missing. */
  readonly provider: ModelProvider | string;
}

/** Which provider answers for which model. */
export interface ProviderRegistry {
  /** @throws {ModelNotFound} when no route fits the model, or when its route has no provider. */
  providerFor(model: string): ModelProvider;
}

function fits(pattern: string, model: string): boolean {
  return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model;
}

/** The first route that fits decides. */
export function createProviderRegistry(routes: readonly Route[]): ProviderRegistry {
  return {
    providerFor(model) {
      const route = routes.find((candidate) => fits(candidate.model, model));
      if (route === undefined) throw new ModelNotFound(model);
      if (typeof route.provider === 'string') throw new ModelNotFound(model, route.provider);
      return route.provider;
    },
  };
}
