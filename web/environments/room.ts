import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Boxes, Plus } from 'lucide-react';
import { read } from '../client/queries.ts';
import { namedListSearch } from '../parts/named-list.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { environmentSearch } from './environment-search.ts';

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/environments',
  validateSearch: namedListSearch,
  component: lazyRouteComponent(() => import('./environments-page.tsx'), 'EnvironmentsPage'),
});

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/environments/new',
  component: lazyRouteComponent(() => import('./form/new-environment-page.tsx'), 'NewEnvironmentPage'),
});

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/environments/$id',
  validateSearch: environmentSearch,
  component: lazyRouteComponent(() => import('./environment-page.tsx'), 'EnvironmentPage'),
});

const editRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/environments/$id/edit',
  component: lazyRouteComponent(() => import('./form/edit-environment-page.tsx'), 'EditEnvironmentPage'),
});

export const environmentsRoutes = [listRoute, newRoute, environmentRoute, editRoute] as const;

export const environmentsRoom: Room = {
  name: 'environments',
  navigation: { label: 'Environments', to: '/environments', icon: Boxes, key: 'e' },
  commands: [
    {
      id: 'new-environment',
      name: 'New environment',
      group: 'Environments',
      icon: Plus,
      run: '/environments/new',
    },
  ],
  search: async (text, client) => {
    const { data } = await client.fetchQuery(
      read('GET /v1/environments', { query: { search: text, limit: '10', include_archived: 'true' } }),
    );
    return data.map(({ id, name, archived_at }) => ({
      id: `environment-${id}`,
      name: archived_at === null ? name : `${name} (archived)`,
      group: 'Environments',
      icon: Boxes,
      run: `/environments/${encodeURIComponent(id)}`,
    }));
  },
};
