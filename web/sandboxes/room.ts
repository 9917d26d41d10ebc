import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Monitor } from 'lucide-react';
import { read } from '../client/queries.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { listSearch, sandboxSearch } from './sandbox-search.ts';

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandboxes',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./list/sandboxes-page.tsx'), 'SandboxesPage'),
});

const sandboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandboxes/$id',
  validateSearch: sandboxSearch,
  component: lazyRouteComponent(() => import('./sandbox-page.tsx'), 'SandboxPage'),
});

export const sandboxesRoutes = [listRoute, sandboxRoute] as const;

export const sandboxesRoom: Room = {
  name: 'sandboxes',
  navigation: { label: 'Sandboxes', to: '/sandboxes', icon: Monitor, key: 'x' },
  search: async (text, client) => {
    const { data } = await client.fetchQuery(read('GET /v1/sandboxes', {}));
    const sought = text.toLowerCase();
    return data
      .filter(({ id, session_id }) =>
        [id, session_id ?? ''].some((held) => held.toLowerCase().includes(sought)),
      )
      .map(({ id }) => ({
        id: `sandbox-${id}`,
        name: id,
        group: 'Sandboxes',
        icon: Monitor,
        run: `/sandboxes/${encodeURIComponent(id)}`,
      }));
  },
};
