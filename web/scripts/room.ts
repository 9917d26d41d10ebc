import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { scriptSearch } from './script-search.ts';

const scriptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scripts',
  validateSearch: scriptSearch,
  component: lazyRouteComponent(() => import('./script-page.tsx'), 'ScriptPage'),
});

export const scriptsRoutes = [scriptRoute] as const;

export const scriptsRoom: Room = {
  name: 'scripts',
  commands: [
    {
      id: 'write-script',
      name: 'Write a script',
      group: 'Sessions',
      icon: ScrollText,
      words: 'yaml demo editor',
      run: '/scripts',
    },
  ],
};
