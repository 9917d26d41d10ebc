import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Brain } from 'lucide-react';
import { read } from '../client/queries.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';

export interface ModelsSearch {
  /** The provider that alone is shown. */
  readonly provider?: string;
}

const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  validateSearch: ({ provider }: Record<string, unknown>): ModelsSearch =>
    typeof provider === 'string' ? { provider } : {},
  component: lazyRouteComponent(() => import('./models-page.tsx'), 'ModelsPage'),
});

export const modelsRoutes = [modelsRoute] as const;

export const modelsRoom: Room = {
  name: 'models',
  navigation: { label: 'Models', to: '/models', icon: Brain, key: 'm' },
  search: async (text, client) => {
    const { data } = await client.fetchQuery(read('GET /v1/providers', {}));
    const sought = text.toLowerCase();
    return data
      .filter(({ name, models }) =>
        [name, ...models.map(({ model }) => model)].some((held) => held.toLowerCase().includes(sought)),
      )
      .map(({ name, models }) => ({
        id: `provider-${name}`,
        name: `Provider ${name}`,
        group: 'Models',
        icon: Brain,
        words: models.map(({ model }) => model).join(' '),
        run: `/models?provider=${encodeURIComponent(name)}`,
      }));
  },
};
