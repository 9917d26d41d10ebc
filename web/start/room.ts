import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { House } from 'lucide-react';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
});

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/app',
  component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
});

export const startRoutes = [startRoute, appRoute] as const;

export const startRoom: Room = {
  name: 'start',
  navigation: { label: 'Start', to: '/', icon: House, key: 'h' },
  within: ['/app'],
};
