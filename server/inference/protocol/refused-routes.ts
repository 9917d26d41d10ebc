import { type RequestHandler, Router } from 'express';
import { RequestRefusedError } from '../../body/request-refused.ts';

/** Routes of Triton's extensions that are not here, each with why. */
const REFUSED: readonly (readonly [path: string, what: string, why: string])[] = [
  ['/v2/systemsharedmemory', 'System shared memory', 'tensors are sent in the request'],
  ['/v2/cudasharedmemory', 'CUDA shared memory', 'tensors are sent in the request'],
  ['/v2/trace/setting', 'Tracing', 'every request has a line in the log, and /metrics tells the rest'],
  ['/v2/models/:model/trace/setting', 'Tracing', 'every request has a line in the log'],
  ['/v2/logging', 'The logging extension', 'LOG_LEVEL sets what is logged when the server starts'],
];

function refuse(what: string, why: string): RequestHandler {
  return () => {
    throw new RequestRefusedError(400, `${what} is not supported: ${why}`);
  };
}

/** Answers the routes of extensions that are not here with the reason, whatever the method and whatever follows in the path. */
export function refusedRoutes(): Router {
  const router = Router();
  for (const [path, what, why] of REFUSED) router.use(path, refuse(what, why));
  return router;
}
