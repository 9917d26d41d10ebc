import type { Express } from 'express';

/** What Express keeps of its routes. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** Every route that an app answers to, e.g. `GET /v1/agents/{id}`. */
export function routesOf(app: Express): string[] {
  return routesIn((app as Express & { router: { stack: Layer[] } }).router.stack);
}

function routesIn(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (route === undefined) return routesIn(handle.stack ?? []);
    const place = route.path.replaceAll(/[:*](\w+)/g, '{$1}');
    return Object.keys(route.methods)
      .filter((method) => method !== '_all')
      .map((method) => `${method.toUpperCase()} ${place}`);
  });
}
