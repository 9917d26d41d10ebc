import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';

const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});

export const keysRoutes = [keysRoute] as const;

export const keysRoom: Room = {
  name: 'keys',
  navigation: { label: 'Keys and limits', to: '/keys', icon: KeyRound, key: 'k' },
};
