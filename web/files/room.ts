import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Files } from 'lucide-react';
import { read } from '../client/queries.ts';
import type { Room } from '../shell/room.ts';
import { rootRoute } from '../shell/root.ts';
import { filesSearch } from './files-search.ts';

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files',
  validateSearch: filesSearch,
  component: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
});

const fileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files/$id',
  component: lazyRouteComponent(() => import('./file-page.tsx'), 'FilePage'),
});

export const filesRoutes = [listRoute, fileRoute] as const;

export const filesRoom: Room = {
  name: 'files',
  navigation: { label: 'Files', to: '/files', icon: Files, key: 'f' },
  search: async (text, client) => {
    const { data } = await client.fetchQuery(read('GET /v1/files', { query: { limit: '200' } }));
    const sought = text.toLowerCase();
    return data
      .filter(({ id, filename }) => [id, filename].some((held) => held.toLowerCase().includes(sought)))
      .map(({ id, filename }) => ({
        id: `file-${id}`,
        name: filename,
        group: 'Files',
        icon: Files,
        run: `/files/${encodeURIComponent(id)}`,
      }));
  },
};
