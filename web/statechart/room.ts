import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { compareSearch, statechartSearch } from './statechart-search.ts';

const statechartRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/statechart/$workflowId',
  validateSearch: statechartSearch,
  component: lazyRouteComponent(() => import('./statechart-page.tsx'), 'StatechartPage'),
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workflows/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import('./compare/compare-page.tsx'), 'ComparePage'),
});

export const statechartRoutes = [statechartRoute, compareRoute] as const;

export const statechartRoom: Room = { name: 'statechart', within: ['/statechart', '/workflows/compare'] };
