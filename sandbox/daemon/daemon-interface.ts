import type { Daemon } from './daemon.ts';
import { actionRoutes } from './http/action-routes.ts';
import { fileRoutes } from './http/file-routes.ts';
import { networkRoutes, networkUpgrades } from './http/network-routes.ts';
import { recordingRoutes } from './http/recording-routes.ts';
import { watchingRoutes, watchingUpgrades } from './http/watching-routes.ts';
import { snapshotRoutes } from './http/snapshot-routes.ts';
import { spareRoutes } from './http/spare-routes.ts';
import { mountedRoutes } from './http/mounted-routes.ts';
import type { DaemonInterface } from './http/server.ts';

/** All routes and upgrades of a daemon. */
export function interfaceOf(daemon: Daemon): DaemonInterface {
  return {
    routes: {
      ...actionRoutes(daemon),
      ...fileRoutes(daemon),
      ...mountedRoutes(daemon),
      ...snapshotRoutes(daemon),
      ...spareRoutes(daemon),
      ...networkRoutes(daemon),
      ...watchingRoutes(daemon),
      ...recordingRoutes(daemon),
    },
    upgrades: { ...watchingUpgrades(daemon), ...networkUpgrades(daemon) },
  };
}
