import protobuf from 'protobufjs';
import { invalidArgument, notFound } from './rpc-error.ts';
import type { RunRef } from '../primitives/run-ref.ts';

/**
 * Says which task a worker means. `fence` is new each time the task is given to a worker, so an old token never fits.
 */
export interface RunTaskToken<Kind extends 'workflow' | 'activity' = 'workflow' | 'activity'> extends RunRef {
  readonly kind: Kind;
  readonly scheduledEventId: number;
  readonly fence: string;
}

interface QueryTaskToken {
  readonly kind: 'query';
  readonly queryId: string;
}

/** Names an activity that belongs to no workflow. */
export interface StandaloneTaskToken {
  readonly kind: 'standalone';
  readonly namespace: string;
  readonly activityId: string;
  readonly runId: string;
  readonly fence: string;
}

export type TaskToken =
  | RunTaskToken<'workflow'>
  | RunTaskToken<'activity'>
  | QueryTaskToken
  | StandaloneTaskToken;

const KINDS = { workflow: 'w', activity: 'a' } as const;

export function encodeTaskToken(token: TaskToken): Uint8Array {
  return Buffer.from(JSON.stringify(fieldsOf(token)));
}

function fieldsOf(token: TaskToken): readonly unknown[] {
  switch (token.kind) {
    case 'query':
      return ['q', token.queryId];
    case 'standalone':
      return ['s', token.namespace, token.activityId, token.runId, token.fence];
    default:
      return [
        KINDS[token.kind],
        token.namespace,
        token.workflowId,
        token.runId,
        token.scheduledEventId,
        token.fence,
      ];
  }
}

type Bytes = Uint8Array | null | undefined;

export function decodeRunTaskToken(bytes: Bytes, kind: RunTaskToken['kind']): RunTaskToken {
  const token = decodeTaskToken(bytes);
  if (token.kind !== kind) throw invalidArgument('Error deserializing task token.');
  return token;
}

/** Reads the token of an activity, whether it belongs to a workflow or not. */
export function decodeActivityTaskToken(bytes: Bytes): RunTaskToken<'activity'> | StandaloneTaskToken {
  const token = decodeTaskToken(bytes);
  if (token.kind === 'activity' || token.kind === 'standalone') return token;
  throw invalidArgument('Error deserializing task token.');
}

/** Checks that a token is of the namespace that a request names; one that names none is taken. */
export function checkTokenNamespace(
  token: RunTaskToken | StandaloneTaskToken,
  namespace: string | null | undefined,
): void {
  if (!namespace || namespace === token.namespace) return;
  throw invalidArgument('Operation requested with a token from a different namespace.');
}

export function decodeQueryTaskToken(bytes: Bytes): QueryTaskToken {
  const token = decodeTaskToken(bytes);
  if (token.kind !== 'query') throw invalidArgument('Error deserializing task token.');
  return token;
}

export function decodeTaskToken(bytes: Bytes): TaskToken {
  if (!bytes || bytes.length === 0) throw invalidArgument('Task token not set on request.');
  const token = parse(Buffer.from(bytes).toString('utf8'));
  if (token) return token;
  if (isForeign(bytes)) throw notFound('task not found');
  throw invalidArgument('Error deserializing task token.');
}

/** Whether another server may have made the token: theirs are messages that begin with the id of a namespace. */
function isForeign(bytes: Uint8Array): boolean {
  const reader = protobuf.Reader.create(bytes);
  try {
    if (reader.uint32() >>> 3 !== 1 || !/^[0-9a-f-]{36}$/.test(reader.string())) return false;
    while (reader.pos < reader.len) reader.skipType(reader.uint32() & 7);
    return true;
  } catch {
    return false;
  }
}

function parse(text: string): TaskToken | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(fields)) return undefined;
  const [kind, first, workflowId, runId, scheduledEventId, fence] = fields as unknown[];
  if (kind === 'q' && typeof first === 'string') return { kind: 'query', queryId: first };
  if (kind === 's') return parseStandalone(fields as unknown[]);
  if (
    (kind !== 'w' && kind !== 'a') ||
    typeof first !== 'string' ||
    typeof workflowId !== 'string' ||
    typeof runId !== 'string' ||
    typeof scheduledEventId !== 'number' ||
    typeof fence !== 'string'
  ) {
    return undefined;
  }
  const name = kind === 'w' ? 'workflow' : 'activity';
  return { kind: name, namespace: first, workflowId, runId, scheduledEventId, fence };
}

function parseStandalone([, ...fields]: readonly unknown[]): StandaloneTaskToken | undefined {
  const [namespace, activityId, runId, fence] = fields.map((field) =>
    typeof field === 'string' ? field : undefined,
  );
  if (namespace === undefined || activityId === undefined || runId === undefined || fence === undefined) {
    return undefined;
  }
  return { kind: 'standalone', namespace, activityId, runId, fence };
}
