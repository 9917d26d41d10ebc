import { grpc } from '../protocol/proto.ts';
import type { Handlers } from '../rpc/call.ts';

/** The method of grpc.health.v1: an engine that can answer serves. */
export function healthHandlers(): Handlers {
  const { SERVING } = grpc.health.v1.HealthCheckResponse.ServingStatus;
  return { Check: () => ({ status: SERVING }) };
}
