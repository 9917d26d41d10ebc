import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { read } from '../client/queries.ts';
import { namedListSearch } from '../parts/named-list.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { agentSearch } from './agent-search.ts';

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: namedListSearch,
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
});

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/new',
  component: lazyRouteComponent(() => import('./form/new-agent-page.tsx'), 'NewAgentPage'),
});

const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$id',
  validateSearch: agentSearch,
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
});

const editRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$id/edit',
  component: lazyRouteComponent(() => import('./form/edit-agent-page.tsx'), 'EditAgentPage'),
});

const tryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$id/try',
  component: lazyRouteComponent(() => import('./try/try-page.tsx'), 'TryPage'),
});

export const agentsRoutes = [listRoute, newRoute, agentRoute, editRoute, tryRoute] as const;

export const agentsRoom: Room = {
  name: 'agents',
  navigation: { label: 'Agents', to: '/agents', icon: Bot, key: 'a' },
  commands: [{ id: 'new-agent', name: 'New agent', group: 'Agents', icon: Plus, run: '/agents/new' }],
  search: async (text, client) => {
    const { data } = await client.fetchQuery(
      read('GET /v1/agents', { query: { search: text, limit: '10', include_archived: 'true' } }),
    );
    return data.map(({ id, name, archived_at }) => ({
      id: `agent-${id}`,
      name: archived_at === null ? name : `${name} (archived)`,
      group: 'Agents',
      icon: Bot,
      run: `/agents/${encodeURIComponent(id)}`,
    }));
  },
};
