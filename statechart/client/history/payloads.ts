import { decodeData } from '../../core/data.ts';
import { fieldsOf, isFields, textOf, type Fields } from './history-event.ts';

/** Turns encoded payloads back, as the `PayloadCodec` of a Temporal client does. */
export interface PayloadDecoder {
  decode(payloads: Payload[]): Promise<Payload[]>;
}

/** A payload as Temporal's API knows it. */
export interface Payload {
  metadata?: Record<string, Uint8Array> | null;
  data?: Uint8Array | null;
}

/** The values of `{ payloads: [...] }`. */
export function valuesOf(payloads: unknown): readonly unknown[] {
  const list = isFields(payloads) ? payloads['payloads'] : payloads;
  return Array.isArray(list) ? list.map(valueOf) : [];
}

/** The value of a payload that is JSON, bytes or nothing; one that is not decoded is answered as it is. */
function valueOf(payload: unknown): unknown {
  if (!isFields(payload) || !isFields(payload['metadata'])) return payload;
  const encoding = new TextDecoder().decode(bytesOf(payload['metadata']['encoding']));
  switch (encoding) {
    case 'binary/null':
      return undefined;
    case 'binary/plain':
      return bytesOf(payload['data']);
    case 'json/plain':
    case 'json/protobuf':
      return JSON.parse(new TextDecoder().decode(bytesOf(payload['data']))) as unknown;
    default:
      return payload;
  }
}

/** A copy of a message in which every payload has been through the decoder. */
export async function decoded(value: unknown, decoder: PayloadDecoder): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map(async (item) => await decoded(item, decoder)));
  if (!isFields(value) || ArrayBuffer.isView(value) || Object.getPrototypeOf(value) === null) return value;
  const { metadata, data } = value;
  if (isFields(metadata) && 'encoding' in metadata && data !== undefined) {
    const [payload] = await decoder.decode([
      {
        metadata: Object.fromEntries(Object.entries(metadata).map(([key, bytes]) => [key, bytesOf(bytes)])),
        data: bytesOf(data),
      },
    ]);
    return payload;
  }
  const entries = await Promise.all(
    Object.entries(value).map(async ([key, item]) => [key, await decoded(item, decoder)] as const),
  );
  return Object.fromEntries(entries);
}

/** Bytes, or their base64. */
function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return new Uint8Array();
  return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
}

/** The machine's own failures carry what it threw as their first detail. */
const MACHINE_ERROR = 'MachineError';

/** What `onError` of an actor got by a failure of Temporal's API; the same as in the workflow. */
export function errorOf(failure: Fields): unknown {
  const root = rootOf(failure);
  const message = textOf(root, 'message');
  if (isFields(root['applicationFailureInfo'])) {
    const info = root['applicationFailureInfo'];
    const type = textOf(info, 'type');
    const details = valuesOf(info['details']);
    const [thrown] = details;
    if (isEncoded(thrown) || (type === MACHINE_ERROR && thrown !== undefined)) return decodeData(thrown);
    return named(type === '' ? 'Error' : type, message, details.length === 0 ? {} : { details });
  }
  if (isFields(root['timeoutFailureInfo'])) {
    const timeoutType = timeoutTypeOf(root['timeoutFailureInfo']['timeoutType']);
    return named('TimeoutFailure', message, { timeoutType });
  }
  return named(nameOf(root), message, {});
}

/** The failure below those that only say where it happened. */
function rootOf(failure: Fields): Fields {
  let root = failure;
  while (
    !isFields(root['applicationFailureInfo']) &&
    !isFields(root['timeoutFailureInfo']) &&
    isFields(root['cause'])
  ) {
    root = fieldsOf(root, 'cause');
  }
  return root;
}

const NAMES = {
  canceledFailureInfo: 'CancelledFailure',
  terminatedFailureInfo: 'TerminatedFailure',
  serverFailureInfo: 'ServerFailure',
  activityFailureInfo: 'ActivityFailure',
  childWorkflowExecutionFailureInfo: 'ChildWorkflowFailure',
} as const;

const nameOf = (failure: Fields): string =>
  Object.entries(NAMES).find(([key]) => isFields(failure[key]))?.[1] ?? 'Error';

const TIMEOUTS = ['', 'START_TO_CLOSE', 'SCHEDULE_TO_START', 'SCHEDULE_TO_CLOSE', 'HEARTBEAT'];

const timeoutTypeOf = (type: unknown): string =>
  typeof type === 'number' ? (TIMEOUTS[type] ?? '') : String(type).replace(/^TIMEOUT_TYPE_/, '');

function named(name: string, message: string, fields: Readonly<Record<string, unknown>>): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return Object.assign(error, fields);
}

const isEncoded = (detail: unknown): boolean => isFields(detail) && detail['$type'] === 'Error';
