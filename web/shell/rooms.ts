import { inferenceRoom, inferenceRoutes } from '../inference/room.ts';
import { keysRoom, keysRoutes } from '../keys/room.ts';
import { liveRoom, liveRoutes } from '../live/room.ts';
import { modelsRoom, modelsRoutes } from '../models/room.ts';
import { sessionsRoom, sessionsRoutes } from '../sessions/room.ts';
import { startRoom, startRoutes } from '../start/room.ts';
import { statechartRoom, statechartRoutes } from '../statechart/room.ts';
import { systemRoom, systemRoutes } from '../system/room.ts';
import { workflowsRoom, workflowsRoutes } from '../workflows/room.ts';
import type { Room } from './room.ts';
import { rootRoute } from './root.ts';

/** Every room, in the order of the navigation. A new room is added here and in `ROUTE_TREE`. */
export const ROOMS: readonly Room[] = [
  startRoom,
  sessionsRoom,
  workflowsRoom,
  statechartRoom,
  liveRoom,
  inferenceRoom,
  modelsRoom,
  keysRoom,
  systemRoom,
];

export const ROUTE_TREE = rootRoute.addChildren([
  ...startRoutes,
  ...sessionsRoutes,
  ...workflowsRoutes,
  ...liveRoutes,
  ...statechartRoutes,
  ...inferenceRoutes,
  ...modelsRoutes,
  ...keysRoutes,
  ...systemRoutes,
]);
