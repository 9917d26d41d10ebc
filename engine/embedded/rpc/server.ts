import { constants } from 'node:http2';
import {
  type MethodDefinition,
  Server,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from '@grpc/grpc-js';
import type protobuf from 'protobufjs';
import { ADMIN_SERVICE, adminService } from '../../histories/admin-service.ts';
import { root } from '../protocol/proto.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import type { EngineLogger } from '../../connection/engine-logger.ts';
import { type Admission, admitAll } from './access.ts';
import type { Call, Handler, Handlers } from './call.ts';
import { RpcError, resourceExhausted, unavailable, unimplemented } from '../protocol/rpc-error.ts';
import { requireNamespaces } from './namespace-access.ts';
import { internalError, toServiceError } from './status-details.ts';
import { whenDurable } from './when-durable.ts';

/** The size of a client's message at most. */
const LARGEST_REQUEST = 4 * 1024 * 1024;

interface ServiceOptions {
  readonly logger: EngineLogger;
  /** Says whether the changes that are being answered are durable. */
  readonly group: Pick<CommitGroup, 'settled' | 'failures'>;
  /** Ends the waits of calls, as if their clients had gone. */
  readonly stopSignal: AbortSignal;
  /** By default everybody is served. */
  readonly admit?: Admission;
}

/** Makes a gRPC server of the reflected service definitions. Methods without a handler answer UNIMPLEMENTED. */
export function createGrpcServer(
  services: Readonly<Record<string, Handlers>>,
  options: ServiceOptions,
): Server {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    interceptors: [admissionInterceptor(options.admit ?? admitAll)],
  });
  for (const [serviceName, handlers] of Object.entries(services)) {
    const service = serviceName === ADMIN_SERVICE ? adminService : root.lookupService(serviceName);
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
 * Without an interceptor, grpc-js calls the handler also for a call that was cancelled before its message had been
 * read, and the handler never learns of it: such a poll would take a task with it. With any interceptor, such calls end
 * before.
 */
function admissionInterceptor(admit: Admission): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const caller = admit(path, metadata);
            if (!(caller instanceof RpcError)) proceed(metadata);
            else call.sendStatus({ code: caller.code, details: caller.message });
          },
        });
      },
    });
}

/** Defines a method on bytes: decoding is part of the method, so its errors are answered as the real server does. */
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
  const admit = options.admit ?? admitAll;
  const serve = async (call: ServerUnaryCall<Uint8Array, Uint8Array>): Promise<Uint8Array> => {
    const caller = admit(call.getPath(), call.metadata);
    if (caller instanceof RpcError) throw caller;
    if (!handler || !requestType || !responseType) throw unimplemented(method.name);
    if (options.stopSignal.aborted) throw unavailable('the engine is stopping');
    const { length } = call.request;
    if (length > LARGEST_REQUEST) {
      throw resourceExhausted(`grpc: received message larger than max (${length} vs. ${LARGEST_REQUEST})`);
    }
    const request = requestType.decode(call.request);
    requireNamespaces(caller, method.name, request);
    const response = await whenDurable(options.group, () =>
      handler(request as never, toCall(call, options.stopSignal)),
    );
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

function header({ metadata }: ServerUnaryCall<Uint8Array, Uint8Array>, name: string): string {
  return metadata.get(name).map(String)[0] ?? '';
}

function toCall(call: ServerUnaryCall<Uint8Array, Uint8Array>, stopSignal: AbortSignal): Call {
  const deadline = call.getDeadline();
  const given = (deadline instanceof Date ? deadline.getTime() : deadline) - Date.now();
  const arrived = performance.now();
  const stream = streamOf(call);
  return {
    sdk: { name: header(call, 'client-name'), version: header(call, 'client-version') },
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
 * Answers the HTTP/2 stream of a call, which grpc-js keeps private. It knows of a cancellation some turns of the event
 * loop before `cancelled` and its event, and afterwards whether the client reset the call or took its answer.
 */
function streamOf(call: object): CallStream | undefined {
  const { call: intercepting } = call as { call?: { nextCall?: { stream?: CallStream } } };
  return intercepting?.nextCall?.stream;
}
