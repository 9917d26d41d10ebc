import { constants } from 'node:http2';
import { createServer } from 'node:net';
import {
  type MethodDefinition,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type protobuf from 'protobufjs';
import { root } from '../proto.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import type { EngineLogger } from '../types.ts';
import { type Admission, admitAll } from './access.ts';
import type { Call, Handler, Handlers } from './call.ts';
import { RpcError, resourceExhausted, unavailable, unimplemented } from './errors.ts';
import { internalError, toServiceError } from './status-details.ts';

/** What a client may send in one message. */
const LARGEST_REQUEST = 4 * 1024 * 1024;

export interface ServiceOptions {
  readonly logger: EngineLogger;
  /** Whether what is being answered is durable. */
  readonly group: Pick<CommitGroup, 'settled' | 'failures'>;
  /** Ends what calls are waiting for, as if their clients had gone. */
  readonly stopSignal: AbortSignal;
  /** Default: everybody is served. */
  readonly admit?: Admission;
}

/** A gRPC server built from the reflected service definitions: what has no handler answers UNIMPLEMENTED. */
export function createGrpcServer(
  services: Readonly<Record<string, Handlers>>,
  options: ServiceOptions,
): Server {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    interceptors: [gate(options.admit ?? admitAll)],
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

/**
 * Refuses a call by its metadata, before its message is read.
 *
 * grpc-js gives a call that was cancelled before its message had been read to its handler all the same, and the handler
 * never learns of it: such a poll would take a task with it. Behind any interceptor, such calls end before the handler.
 */
function gate(admit: Admission): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const refusal = admit(path, metadata);
            if (refusal === undefined) proceed(metadata);
            else call.sendStatus({ code: refusal.code, details: refusal.message });
          },
        });
      },
    });
}

/** Binds the first free port from `port` on (only `port` itself unless `fallbackToFreePort`); 0 takes any. */
export async function listen(
  server: Server,
  address: { host: string; port: number; fallbackToFreePort: boolean },
): Promise<number> {
  const { host, port, fallbackToFreePort } = address;
  const attempts = port === 0 || !fallbackToFreePort ? 1 : 100;
  for (let candidate = port; candidate < port + attempts; candidate++) {
    // Asked first, because grpc-js writes to the console when it cannot bind.
    if (candidate !== 0 && !(await isFree(host, candidate))) continue;
    return await bind(server, `${host.includes(':') ? `[${host}]` : host}:${candidate}`);
  }
  throw Object.assign(new Error(`EADDRINUSE: ${host}:${port} is in use`), { code: 'EADDRINUSE' });
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
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
    const { failures } = options.group;
    const response = await handler(
      requestType.decode(call.request) as never,
      toCall(call, options.stopSignal),
    );
    await options.group.settled().catch(() => undefined);
    if (options.group.failures !== failures) throw unavailable('the change could not be made durable');
    return responseType.encode(response).finish();
  };
  return (call, callback) => {
    serve(call).then(
      (bytes) => callback(null, bytes),
      async (error: unknown) => {
        await options.group.settled().catch(() => undefined);
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
  const given = (deadline instanceof Date ? deadline.getTime() : deadline) - Date.now();
  const arrived = performance.now();
  const stream = streamOf(call);
  return {
    timeLeftMs: () => given - (performance.now() - arrived),
    get isCancelled() {
      return call.cancelled || stream?.closed === true || stopSignal.aborted;
    },
    onUndelivered: (listener) => {
      call.once('cancelled', () => {
        if (stream?.rstCode === constants.NGHTTP2_CANCEL) listener();
      });
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

interface CallStream {
  readonly closed?: boolean;
  readonly rstCode?: number;
}

/**
 * The HTTP/2 stream behind a call, which grpc-js keeps private. It knows of a cancellation some turns of the event loop
 * before `cancelled` and its event, and afterwards whether the client reset the call or took its answer.
 */
function streamOf(call: object): CallStream | undefined {
  const { call: intercepting } = call as { call?: { nextCall?: { stream?: CallStream } } };
  return intercepting?.nextCall?.stream;
}
