import { RpcError, invalidArgument } from '../protocol/rpc-error.ts';
import { WorkerStatus } from '../protocol/proto.ts';
import { timestampMs } from '../protocol/values.ts';
import { type Expression, parseQuery } from '../visibility/query-parser.ts';
import type { WorkerHeartbeat } from './worker-registry.ts';

type Value = string | number | undefined;

/** What queries may ask of a worker; times in milliseconds since 1970. */
const FIELDS: Readonly<Record<string, (worker: WorkerHeartbeat) => Value>> = {
  WorkerInstanceKey: ({ workerInstanceKey }) => text(workerInstanceKey),
  WorkerIdentity: ({ workerIdentity }) => text(workerIdentity),
  HostName: ({ hostInfo }) => text(hostInfo?.hostName),
  TaskQueue: ({ taskQueue }) => text(taskQueue),
  DeploymentName: ({ deploymentVersion }) => text(deploymentVersion?.deploymentName),
  BuildId: ({ deploymentVersion }) => text(deploymentVersion?.buildId),
  SdkName: ({ sdkName }) => text(sdkName),
  SdkVersion: ({ sdkVersion }) => text(sdkVersion),
  Status: ({ status }) => STATUS_NAMES[status ?? WorkerStatus.WORKER_STATUS_UNSPECIFIED],
  StartTime: ({ startTime }) => timestampMs(startTime),
  HeartbeatTime: ({ heartbeatTime }) => timestampMs(heartbeatTime),
};
const TIMES = new Set(['StartTime', 'HeartbeatTime']);
const STATUS_NAMES: Readonly<Record<number, string>> = {
  [WorkerStatus.WORKER_STATUS_RUNNING]: 'Running',
  [WorkerStatus.WORKER_STATUS_SHUTTING_DOWN]: 'ShuttingDown',
  [WorkerStatus.WORKER_STATUS_SHUTDOWN]: 'Shutdown',
};

/**
 * Makes the test of a query about workers. As on the real server, a condition that it cannot decide (an unknown name, a
 * comparison that the field does not have) fits no worker.
 * @throws RpcError INVALID_ARGUMENT "malformed query: ..." for what is no query
 */
export function workerQuery(query: string): (worker: WorkerHeartbeat) => boolean {
  if (query.trim() === '') return () => true;
  const { where } = parsed(query);
  return (worker) => where !== undefined && holds(where, worker) === true;
}

function parsed(query: string): ReturnType<typeof parseQuery> {
  try {
    return parseQuery(query);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw invalidArgument(error.message.replace('invalid query: malformed SQL query:', 'malformed query:'));
  }
}

/** Undefined where the condition cannot be decided. */
function holds(expression: Expression, worker: WorkerHeartbeat): boolean | undefined {
  switch (expression.kind) {
    case 'paren':
      return holds(expression.inner, worker);
    case 'and':
    case 'or': {
      const parts = expression.parts.map((part) => holds(part, worker));
      if (parts.includes(undefined)) return undefined;
      return expression.kind === 'and' ? !parts.includes(false) : parts.includes(true);
    }
    case 'compare':
      return compared(expression, worker);
    case 'between': {
      const { negated, left, from, to } = expression;
      if (!TIMES.has(nameOf(left))) return undefined;
      const value = valueOf(left, worker);
      const [low, high] = [time(from), time(to)];
      if (typeof value !== 'number' || low === undefined || high === undefined) return undefined;
      return (value >= low && value <= high) !== negated;
    }
    case 'is': {
      if (!(nameOf(expression.left) in FIELDS)) return undefined;
      const isMissing = valueOf(expression.left, worker) === undefined;
      if (expression.test === 'null') return isMissing;
      return expression.test === 'not null' ? !isMissing : undefined;
    }
    default:
      return undefined;
  }
}

function compared(
  { operator, left, right }: Extract<Expression, { kind: 'compare' }>,
  worker: WorkerHeartbeat,
): boolean | undefined {
  const name = nameOf(left);
  if (!(name in FIELDS)) return undefined;
  const value = valueOf(left, worker);
  if (TIMES.has(name)) {
    const limit = time(right);
    return typeof value === 'number' && limit !== undefined ? ordered(operator, value, limit) : undefined;
  }
  if (right.kind !== 'string') return undefined;
  const own = value ?? '';
  if (operator === '=') return own === right.value;
  if (operator === '!=') return own !== right.value;
  if (operator === 'STARTS_WITH') return String(own).startsWith(right.value);
  if (operator === 'NOT STARTS_WITH') return !String(own).startsWith(right.value);
  return undefined;
}

function ordered(operator: string, value: number, limit: number): boolean | undefined {
  switch (operator) {
    case '=':
      return value === limit;
    case '!=':
      return value !== limit;
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    default:
      return undefined;
  }
}

/** A time in milliseconds: an RFC 3339 text, or a number of nanoseconds. */
function time(expression: Expression): number | undefined {
  if (expression.kind === 'number') return Number(expression.source) / 1e6;
  if (expression.kind !== 'string') return undefined;
  const ms = Date.parse(expression.value);
  return Number.isNaN(ms) ? undefined : ms;
}

const nameOf = (expression: Expression): string => (expression.kind === 'name' ? expression.name : '');
const valueOf = (expression: Expression, worker: WorkerHeartbeat): Value =>
  FIELDS[nameOf(expression)]?.(worker);
const text = (value: string | null | undefined): string | undefined =>
  value === '' ? undefined : (value ?? undefined);
