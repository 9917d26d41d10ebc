import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { FileJson, Workflow } from 'lucide-react';
import { read } from '../client/queries.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { workflowsSearch } from './list-search.ts';
import { literal } from './query/clauses.ts';
import { fileSearch, runSearch } from './run-search.ts';

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows',
  validateSearch: workflowsSearch,
  component: lazyRouteComponent(() => import('./list/workflows-page.tsx'), 'WorkflowsPage'),
});

const fileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows/file',
  validateSearch: fileSearch,
  component: lazyRouteComponent(() => import('./file/file-page.tsx'), 'FilePage'),
});

const workflowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows/$workflowId',
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
});

export const workflowsRoutes = [listRoute, fileRoute, workflowRoute] as const;

export const workflowsRoom: Room = {
  name: 'workflows',
  navigation: { label: 'Workflows', to: '/workflows', icon: Workflow, key: 'w' },
  commands: [
    {
      id: 'history-file',
      name: 'Open a history file',
      group: 'Workflows',
      icon: FileJson,
      run: '/workflows/file',
    },
  ],
  search: async (text, client) => {
    const query = `WorkflowId STARTS_WITH ${literal(text)}`;
    const { data } = await client.fetchQuery(read('GET /v1/workflows', { query: { query, limit: '10' } }));
    const ids = [...new Map(data.map((found) => [found.workflow_id, found.workflow_type]))];
    return ids.map(([id, type]) => ({
      id: `workflow-${id}`,
      name: id,
      group: 'Workflows',
      icon: Workflow,
      words: type,
      run: `/workflows/${encodeURIComponent(id)}`,
    }));
  },
};
