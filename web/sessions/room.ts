import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { read } from '../client/queries.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { listSearch } from './list-search.ts';
import { sessionSearch } from './session-search.ts';

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./sessions-page.tsx'), 'SessionsPage'),
});

const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions/$id',
  validateSearch: sessionSearch,
  component: lazyRouteComponent(() => import('./session-page.tsx'), 'SessionPage'),
});

export const sessionsRoutes = [listRoute, sessionRoute] as const;

export const sessionsRoom: Room = {
  name: 'sessions',
  navigation: { label: 'Sessions', to: '/sessions', icon: MessagesSquare, key: 's' },
  search: async (text, client) => {
    const { data } = await client.fetchQuery(read('GET /v1/sessions', { query: { limit: '100' } }));
    const sought = text.toLowerCase();
    return data
      .filter(({ id, title, agent }) =>
        [id, title ?? '', agent.name].some((held) => held.toLowerCase().includes(sought)),
      )
      .map(({ id, title, agent }) => ({
        id: `session-${id}`,
        name: title ?? agent.name,
        group: 'Sessions',
        icon: MessagesSquare,
        run: `/sessions/${id}`,
      }));
  },
};
