import { createRootRoute } from '@tanstack/react-router';

/** The parent of every room's routes. The shell around them is put on by `router.tsx`, which knows all rooms. */
export const rootRoute = createRootRoute();
