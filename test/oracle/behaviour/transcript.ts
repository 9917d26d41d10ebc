import type { ServiceError } from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import type protobuf from 'protobufjs';
import { detailsOf } from '../../engine/embedded/support/rpc-error.ts';

/** What a call was answered, without what differs from run to run by nature. */
export interface Answer {
  readonly call: string;
  readonly reply?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly details: readonly unknown[] };
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| \+0000 UTC)/g;

/** What depends on how busy a server is, and what tells of features that are not compared. */
const leftOut: readonly string[] = [
  'pollerScalingDecision',
  'ownerHostName',
  'pollerAutoscaling',
  'reportedProblemsSearchAttribute',
  'nexus',
  'serverScaledDeployments',
  'standaloneActivityBatchOperations',
  'workflowTaskCompletionSizeLimitError',
];

/** What a key's value is replaced by; its presence still counts. */
const replaced: Readonly<Record<string, string>> = {
  taskToken: '<token>',
  nextPageToken: '<token>',
  conflictToken: '<token>',
  longPollToken: '<token>',
  historySizeBytes: '<size>',
  stateSizeBytes: '<size>',
  stateTransitionCount: '<count>',
  executionDuration: '<duration>',
  currentRetryInterval: '<duration>',
  taskId: '<task>',
  version: '<version>',
  data: '',
};

/** A message of the API in its JSON form, without ids of runs, times, tokens and sizes. */
export function normalReply(message: object, fixed: (text: string) => string): unknown {
  return value((message as { toJSON(): unknown }).toJSON(), '', fixed);
}

export function normalError(error: unknown, fixed: (text: string) => string): Answer['error'] {
  const { code, details, metadata } = error as ServiceError;
  if (typeof code !== 'number') throw error;
  const typed = detailsOf(metadata.get('grpc-status-details-bin')).map(({ type_url: url, value: bytes }) => {
    const name = url.split('/').at(-1) ?? '';
    const type = (proto as unknown as protobuf.Root).lookupType(name);
    return { type: name, ...(value(type.decode(bytes).toJSON(), '', fixed) as object) };
  });
  return { code, message: text(details, fixed), details: typed };
}

function value(node: unknown, key: string, fixed: (text: string) => string): unknown {
  const substitute = replaced[key];
  if (substitute && node !== '' && node != null) return substitute;
  if (Array.isArray(node)) return node.map((n) => value(n, '', fixed));
  if (typeof node === 'object' && node !== null) {
    const { seconds, nanos, ...rest } = node as Record<string, unknown>;
    // A moment: what is further from 1970 than any duration that the rows give.
    if (Object.keys(rest).length === 0 && Number(seconds) > 1_500_000_000) return '<time>';
    // A time that was measured: those that are given have whole seconds.
    if (Object.keys(rest).length === 0 && nanos) return '<measured>';
    const entries = Object.entries(node)
      .filter(([k]) => !leftOut.includes(k))
      .map(([k, v]) => [text(k, fixed), value(v, k, fixed)] as const)
      .filter(([, v]) => !isUnset(v));
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
  if (typeof node !== 'string') return node;
  if (key === 'data' || key === 'encoding' || key === 'type') return text(plain(node), fixed);
  return text(node, fixed);
}

/** Unset and empty are the same on the wire, but for messages without fields, whose presence counts. */
function isUnset(v: unknown): boolean {
  return v == null || v === '' || v === 0 || v === '0' || v === false || (Array.isArray(v) && v.length === 0);
}

function plain(node: string): string {
  const bytes = Buffer.from(node, 'base64');
  return bytes.toString('base64') === node && /^[\x20-\x7e]*$/.test(bytes.toString())
    ? bytes.toString()
    : node;
}

function text(node: string, fixed: (text: string) => string): string {
  return fixed(node).replaceAll(time, '<time>').replaceAll(uuid, '<uuid>');
}
