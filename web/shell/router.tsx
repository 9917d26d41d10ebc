import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { createQueryClient } from '../client/queries.ts';
import { NoPage, PageFailed, PageLoading } from './page-states.tsx';
import { ROUTE_TREE } from './rooms.ts';
import { Shell } from './shell.tsx';

const client = createQueryClient();

export const router = createRouter({
  routeTree: ROUTE_TREE,
  scrollRestoration: true,
  // A page's code is loaded when a link to it is pointed at.
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: NoPage,
  InnerWrap: ({ children }) => (
    <QueryClientProvider client={client}>
      <Shell>{children}</Shell>
    </QueryClientProvider>
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
