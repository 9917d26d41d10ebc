import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ScanText } from 'lucide-react';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { inferenceSearch } from './inference-search.ts';

const inferenceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inference',
  validateSearch: inferenceSearch,
  component: lazyRouteComponent(() => import('./inference-page.tsx'), 'InferencePage'),
});

export const inferenceRoutes = [inferenceRoute] as const;

export const inferenceRoom: Room = {
  name: 'inference',
  navigation: { label: 'Images', to: '/inference', icon: ScanText, key: 'i' },
};
