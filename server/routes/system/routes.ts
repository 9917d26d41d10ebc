import { routesOf } from '../../routing/route.ts';
import { readSystem, type SystemRouteDeps } from './read-system.ts';
import { system } from './shapes.ts';

/** The route that tells operators how the server and all that it needs are. Probes ask `/health`, which needs no key. */
export const systemRoutes = [
  routesOf<SystemRouteDeps>()('System', {})(
    'GET /v1/system',
    'retrieveSystem',
    'Retrieve the state of all parts',
    {
      description:
        'Engine, store, disks, sandboxes, image models and this process, and what is wrong with them. Unlike `/health` it asks the ' +
        'parts, which takes some milliseconds.',
      answer: system,
      handle: (deps, { res }) => {
        res.set('cache-control', 'no-store');
        return readSystem(deps, res);
      },
    },
  ),
];
