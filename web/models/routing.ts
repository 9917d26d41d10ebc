import type { ApiAnswer } from '../client/api.ts';

export type Provider = ApiAnswer<'GET /v1/providers'>['data'][number];
export type RoutedModel = Provider['models'][number];
export type Price = NonNullable<RoutedModel['price']>;

/** The route of the routing table that a model's name takes: the first that fits. */
export function routeFor(
  providers: readonly Provider[],
  name: string,
): { readonly provider: Provider; readonly route: RoutedModel } | undefined {
  return providers
    .flatMap((provider) => provider.models.map((route) => ({ provider, route })))
    .toSorted((a, b) => a.route.position - b.route.position)
    .find(({ route }) => fits(route, name));
}

function fits({ model, pattern, aliases }: RoutedModel, name: string): boolean {
  if (aliases.includes(name)) return true;
  return pattern ? name.startsWith(model.slice(0, -1)) : model === name;
}

/** What a model's tokens cost; undefined where no price is configured. */
export function priceFor(providers: readonly Provider[], name: string): Price | undefined {
  return routeFor(providers, name)?.route.price ?? undefined;
}
