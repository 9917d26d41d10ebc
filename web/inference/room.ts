import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ScanText } from 'lucide-react';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';

export interface InferenceSearch {
  /** The image model that is chosen. */
  readonly model?: string;
}

const inferenceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inference',
  validateSearch: ({ model }: Record<string, unknown>): InferenceSearch =>
    typeof model === 'string' ? { model } : {},
  component: lazyRouteComponent(() => import('./inference-page.tsx'), 'InferencePage'),
});

export const inferenceRoutes = [inferenceRoute] as const;

export const inferenceRoom: Room = {
  name: 'inference',
  navigation: { label: 'Images', to: '/inference', icon: ScanText, key: 'i' },
};
