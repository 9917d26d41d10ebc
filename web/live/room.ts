import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';

const sandboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sandboxes/$id',
  component: lazyRouteComponent(() => import('./sandbox-page.tsx'), 'SandboxPage'),
});

export const liveRoutes = [sandboxRoute] as const;

export const liveRoom: Room = { name: 'live' };
