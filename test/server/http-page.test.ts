import fs from 'node:fs';
import path from 'node:path';
import type { Express } from 'express';
import { startServer, stopServers } from './harness.ts';

afterEach(stopServers);

/** What Express keeps of its routes. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

function routesOf(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (route === undefined) return routesOf(handle.stack ?? []);
    const place = route.path.replaceAll(/:(\w+)/g, '{$1}');
    return Object.keys(route.methods)
      .filter((method) => method !== '_all')
      .map((method) => `${method.toUpperCase()} ${place}`);
  });
}

test('docs/http.md lists every route, and no other', async () => {
  const { server } = await startServer();
  const { stack } = (server.app as Express & { router: { stack: Layer[] } }).router;
  const page = fs.readFileSync(path.resolve(__dirname, '../../docs/http.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z]+ [^`]+)`/gm)].map(([, route]) => route ?? '');
  expect(listed.toSorted()).toEqual(routesOf(stack).toSorted());
});
