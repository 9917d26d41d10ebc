import { grpc } from '../../proto.ts';
import type { Handlers } from '../call.ts';

/** grpc.health.v1: whoever can ask is served. */
export function healthHandlers(): Handlers {
  const { SERVING } = grpc.health.v1.HealthCheckResponse.ServingStatus;
  return { Check: () => ({ status: SERVING }) };
}
