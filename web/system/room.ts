import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { HeartPulse } from 'lucide-react';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';

const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/system',
  component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
});

export const systemRoutes = [systemRoute] as const;

export const systemRoom: Room = {
  name: 'system',
  navigation: { label: 'Health', to: '/system', icon: HeartPulse, key: 'y' },
};
