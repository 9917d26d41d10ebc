import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Layers, Plus } from 'lucide-react';
import { read } from '../client/queries.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { batchSearch, listSearch, newSearch } from './batches-search.ts';

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./list/batches-page.tsx'), 'BatchesPage'),
});

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches/new',
  validateSearch: newSearch,
  component: lazyRouteComponent(() => import('./create/create-page.tsx'), 'CreatePage'),
});

const batchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches/$id',
  validateSearch: batchSearch,
  component: lazyRouteComponent(() => import('./batch-page.tsx'), 'BatchPage'),
});

export const batchesRoutes = [listRoute, newRoute, batchRoute] as const;

export const batchesRoom: Room = {
  name: 'batches',
  navigation: { label: 'Batches', to: '/batches', icon: Layers, key: 'b' },
  commands: [{ id: 'new-batch', name: 'New batch', group: 'Batches', icon: Plus, run: '/batches/new' }],
  search: async (text, client) => {
    const { data } = await client.fetchQuery(read('GET /v1/messages/batches', { query: { limit: '100' } }));
    const sought = text.toLowerCase();
    return data
      .filter(({ id }) => id.toLowerCase().includes(sought))
      .map(({ id }) => ({
        id: `batch-${id}`,
        name: id,
        group: 'Batches',
        icon: Layers,
        run: `/batches/${encodeURIComponent(id)}`,
      }));
  },
};
