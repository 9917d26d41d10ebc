import {
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type protobuf from 'protobufjs';
import { root } from '../proto.ts';
import type { EngineLogger } from '../types.ts';
import type { Call, Handler, Handlers } from './call.ts';
import { RpcError, resourceExhausted, unavailable, unimplemented } from './errors.ts';
import { internalError, toServiceError } from './status-details.ts';

/** What a client may send in one message. */
const LARGEST_REQUEST = 4 * 1024 * 1024;

export interface ServiceOptions {
  readonly logger: EngineLogger;
  /** Resolves once all that is being answered is durable. */
  readonly settled: () => Promise<void>;
  /** Ends what calls are waiting for, as if their clients had gone. */
  readonly stopSignal: AbortSignal;
}

/** A gRPC server built from the reflected service definitions: what has no handler answers UNIMPLEMENTED. */
export function createGrpcServer(
  services: Readonly<Record<string, Handlers>>,
  options: ServiceOptions,
): Server {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  for (const [serviceName, handlers] of Object.entries(services)) {
    const service = root.lookupService(serviceName);
    service.resolveAll();
    const definition: Record<string, MethodDefinition<Uint8Array, Uint8Array>> = {};
    const implementation: UntypedServiceImplementation = {};
    for (const method of service.methodsArray) {
      if (method.responseStream || method.requestStream) continue;
      definition[method.name] = methodDefinition(`/${serviceName}/${method.name}`);
      implementation[method.name] = unaryMethod(method, handlers[method.name], options);
    }
    server.addService(definition as ServiceDefinition, implementation);
  }
  return server;
}

/** Binds the first free port from `port` on (only `port` itself unless `fallbackToFreePort`); 0 takes any. */
export async function listen(
  server: Server,
  address: { host: string; port: number; fallbackToFreePort: boolean },
): Promise<number> {
  const { host, port, fallbackToFreePort } = address;
  const attempts = port === 0 || !fallbackToFreePort ? 1 : 100;
  let lastError: unknown;
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await bind(server, `${host.includes(':') ? `[${host}]` : host}:${port + attempt}`);
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

function bind(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
}

/** Bytes in, bytes out: decoding is part of the method, so its errors can be answered as the real server does. */
function methodDefinition(path: string): MethodDefinition<Uint8Array, Uint8Array> {
  const asBuffer = (bytes: Uint8Array): Buffer =>
    Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: asBuffer,
    requestDeserialize: (bytes) => bytes,
    responseSerialize: asBuffer,
    responseDeserialize: (bytes) => bytes,
  };
}

function unaryMethod(
  method: protobuf.Method,
  handler: Handler | undefined,
  options: ServiceOptions,
): (call: ServerUnaryCall<Uint8Array, Uint8Array>, callback: sendUnaryData<Uint8Array>) => void {
  const { resolvedRequestType: requestType, resolvedResponseType: responseType } = method;
  const serve = async (call: ServerUnaryCall<Uint8Array, Uint8Array>): Promise<Uint8Array> => {
    if (!handler || !requestType || !responseType) throw unimplemented(method.name);
    if (options.stopSignal.aborted) throw unavailable('the engine is stopping');
    const { length } = call.request;
    if (length > LARGEST_REQUEST) {
      throw resourceExhausted(`grpc: received message larger than max (${length} vs. ${LARGEST_REQUEST})`);
    }
    const response = await handler(
      requestType.decode(call.request) as never,
      toCall(call, options.stopSignal),
    );
    await options.settled().catch((error: unknown) => {
      options.logger.error({ err: error, method: method.name }, 'an answer could not be made durable');
      throw unavailable('the change could not be made durable');
    });
    return responseType.encode(response).finish();
  };
  return (call, callback) => {
    serve(call).then(
      (bytes) => callback(null, bytes),
      async (error: unknown) => {
        await options.settled().catch(() => undefined);
        if (!(error instanceof RpcError)) {
          options.logger.error({ err: error, method: method.name }, 'an RPC failed unexpectedly');
        }
        callback(toServiceError(error instanceof RpcError ? error : internalError(error)), null);
      },
    );
  };
}

function toCall(call: ServerUnaryCall<Uint8Array, Uint8Array>, stopSignal: AbortSignal): Call {
  const deadline = call.getDeadline();
  return {
    deadline: deadline instanceof Date ? deadline.getTime() : deadline,
    get isCancelled() {
      return call.cancelled || stopSignal.aborted;
    },
    onCancel: (listener) => {
      call.on('cancelled', listener);
      stopSignal.addEventListener('abort', listener);
      return () => {
        call.off('cancelled', listener);
        stopSignal.removeEventListener('abort', listener);
      };
    },
  };
}
