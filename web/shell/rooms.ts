import { agentsRoom, agentsRoutes } from '../agents/room.ts';
import { batchesRoom, batchesRoutes } from '../batches/room.ts';
import { environmentsRoom, environmentsRoutes } from '../environments/room.ts';
import { filesRoom, filesRoutes } from '../files/room.ts';
import { inferenceRoom, inferenceRoutes } from '../inference/room.ts';
import { keysRoom, keysRoutes } from '../keys/room.ts';
import { modelsRoom, modelsRoutes } from '../models/room.ts';
import { sandboxesRoom, sandboxesRoutes } from '../sandboxes/room.ts';
import { scriptsRoom, scriptsRoutes } from '../scripts/room.ts';
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
  agentsRoom,
  environmentsRoom,
  scriptsRoom,
  workflowsRoom,
  statechartRoom,
  sandboxesRoom,
  filesRoom,
  batchesRoom,
  inferenceRoom,
  modelsRoom,
  keysRoom,
  systemRoom,
];

export const ROUTE_TREE = rootRoute.addChildren([
  ...startRoutes,
  ...sessionsRoutes,
  ...agentsRoutes,
  ...environmentsRoutes,
  ...scriptsRoutes,
  ...workflowsRoutes,
  ...sandboxesRoutes,
  ...filesRoutes,
  ...batchesRoutes,
  ...statechartRoutes,
  ...inferenceRoutes,
  ...modelsRoutes,
  ...keysRoutes,
  ...systemRoutes,
]);
