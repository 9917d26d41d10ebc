import type { temporal } from '@temporalio/proto';

type IPayload = temporal.api.common.v1.IPayload;

/** One execution as the real server listed it, in plain JSON: times in nanoseconds, attributes as type and text. */
export interface GoldenExecution {
  workflowId: string;
  runId: string;
  workflowType: string;
  status: number;
  startTime: string;
  executionTime: string;
  closeTime?: string;
  executionDuration?: string;
  historyLength?: string;
  historySizeBytes?: string;
  stateTransitionCount?: string;
  taskQueue: string;
  parent?: { workflowId: string; runId: string };
  root?: { workflowId: string; runId: string };
  memo: Record<string, string>;
  searchAttributes: Record<string, { type: string; data: string }>;
}

/** A payload as the SDK's JSON converter writes it; with a bare string for data that is not JSON. */
export function json(value: unknown, type?: string): IPayload {
  return raw(JSON.stringify(value), type);
}
export function raw(text: string, type?: string): IPayload {
  const metadata: Record<string, Uint8Array> = { encoding: Buffer.from('json/plain') };
  if (type !== undefined) metadata['type'] = Buffer.from(type);
  return { metadata, data: Buffer.from(text) };
}

const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString();
const number = (n: unknown): string => String(n as { toString(): string } | null | undefined);
const nanos = (t: { seconds?: unknown; nanos?: number | null } | null | undefined): string =>
  String(BigInt(number(t?.seconds ?? 0)) * 1_000_000_000n + BigInt(t?.nanos ?? 0));
const positive = (n: unknown): string | undefined => (n == null || number(n) === '0' ? undefined : number(n));

/** Reduces a listed execution to its golden form. */
export function describeExecution(info: temporal.api.workflow.v1.IWorkflowExecutionInfo): GoldenExecution {
  const run = (e: temporal.api.common.v1.IWorkflowExecution): { workflowId: string; runId: string } => ({
    workflowId: e.workflowId ?? '',
    runId: e.runId ?? '',
  });
  const closed = {
    closeTime: info.closeTime ? nanos(info.closeTime) : undefined,
    executionDuration: info.executionDuration ? nanos(info.executionDuration) : undefined,
    historyLength: positive(info.historyLength),
    historySizeBytes: positive(info.historySizeBytes),
    stateTransitionCount: positive(info.stateTransitionCount),
    parent: info.parentExecution ? run(info.parentExecution) : undefined,
    root: info.rootExecution ? run(info.rootExecution) : undefined,
  };
  return {
    workflowId: info.execution?.workflowId ?? '',
    runId: info.execution?.runId ?? '',
    workflowType: info.type?.name ?? '',
    status: info.status ?? 0,
    startTime: nanos(info.startTime),
    executionTime: nanos(info.executionTime),
    ...(JSON.parse(JSON.stringify(closed)) as object),
    taskQueue: info.taskQueue ?? '',
    memo: Object.fromEntries(Object.entries(info.memo?.fields ?? {}).map(([k, p]) => [k, text(p.data)])),
    searchAttributes: Object.fromEntries(
      Object.entries(info.searchAttributes?.indexedFields ?? {}).map(([name, p]) => [
        name,
        { type: text(p.metadata?.['type']), data: text(p.data) },
      ]),
    ),
  };
}

/** Reduces a count to its golden form. */
export function describeCount(
  reply: temporal.api.workflowservice.v1.ICountWorkflowExecutionsResponse,
): object {
  return {
    count: String(reply.count ?? 0),
    groups: (reply.groups ?? []).map((g) => ({
      values: (g.groupValues ?? []).map((p) => ({
        metadata: Object.fromEntries(Object.entries(p.metadata ?? {}).map(([k, v]) => [k, text(v)])),
        data: text(p.data),
      })),
      count: String(g.count ?? 0),
    })),
  };
}

/** Puts the recorded times and run ids into a query's places. */
export function fill(query: string, executions: readonly GoldenExecution[]): string {
  return query.replaceAll(/\{(start|close|startNs|run):([\w-]+)\}/g, (_, what: string, id: string) => {
    const execution = executions.find((e) => e.workflowId === id);
    if (execution === undefined) throw new Error(`no recorded execution ${id}`);
    if (what === 'run') return execution.runId;
    if (what === 'startNs') return execution.startTime;
    const ns = BigInt((what === 'start' ? execution.startTime : execution.closeTime) ?? 0);
    const fraction = String(ns % 1_000_000_000n).padStart(9, '0');
    return new Date(Number(ns / 1_000_000n)).toISOString().replace(/\.\d+Z$/, `.${fraction}Z`);
  });
}

/** Attribute values to start a workflow with: what is accepted, how it is stored, what is refused. */
export const attributeValues: readonly (readonly [name: string, payload: IPayload])[] = [
  ['CK', json('x')],
  ['CK', json(['x'])],
  ['CK', json(['x', 'y'])],
  ['CK', json([])],
  ['CK', json(null)],
  ['CK', raw('')],
  ['CK', json(5)],
  ['CK', json(true)],
  ['CK', json({ a: 1 })],
  ['CK', json('')],
  ['CK', json('x', 'Keyword')],
  ['CK', json('x', 'Text')],
  ['CK', json('x', 'Bogus')],
  ['CK', raw('x')],
  ['CI', json(5)],
  ['CI', json([5])],
  ['CI', json([5, 6])],
  ['CI', json('5')],
  ['CI', json('x')],
  ['CI', json(5.5)],
  ['CI', json(5.0)],
  ['CI', raw('9007199254740993')],
  ['CI', raw('99999999999999999999')],
  ['CI', json(true)],
  ['CD', json(5)],
  ['CD', json(5.25)],
  ['CD', raw('1e400')],
  ['CD', json('5.5')],
  ['CB', json(true)],
  ['CB', json([false])],
  ['CB', json('true')],
  ['CB', json(1)],
  ['CDT', json('2024-01-02T03:04:05Z')],
  ['CDT', json('2024-01-02T03:04:05.123456789Z')],
  ['CDT', json('2024-01-02T03:04:05+01:00')],
  ['CDT', json(['2024-01-02T03:04:05.120Z'])],
  ['CDT', json('2024-01-02')],
  ['CDT', json('x')],
  ['CDT', json(1704164645000000000)],
  ['CT', json('some words')],
  ['CT', json(['some words'])],
  ['CT', json(['some words', 'more'])],
  ['CT', json(5)],
  ['CKL', json(['a', 'b'])],
  ['CKL', json('a')],
  ['CKL', json(['a', 5])],
  ['CKL', json([])],
  ['CKL', json(null)],
  ['Nope', json('x')],
  ['ck', json('x')],
  ['Keyword01', json('x')],
  ['WorkflowId', json('x')],
  ['WorkflowType', json('x')],
  ['StartTime', json('2024-01-02T03:04:05Z')],
  ['ExecutionStatus', json('Running')],
  ['TaskQueue', json('x')],
  ['BuildIds', json(['x'])],
  ['TemporalChangeVersion', json(['x'])],
  ['TemporalScheduledById', json('x')],
  ['TemporalScheduledStartTime', json('2024-01-02T03:04:05Z')],
  ['TemporalSchedulePaused', json(true)],
  ['TemporalNamespaceDivision', json('x')],
  ['BatcherUser', json('x')],
  ['BinaryChecksums', json(['x'])],
  ['VisibilityTaskKey', json('x')],
  ['CK', { metadata: { encoding: Buffer.from('binary/plain') }, data: Buffer.from('x') }],
  ['CK', { metadata: { encoding: Buffer.from('binary/null') } }],
  ['CK', { data: Buffer.from('"x"') }],
  ['CK', json('k'.repeat(3000))],
  ['CI', json(null)],
  ['CI', json([])],
];

/** Calls of the OperatorService in order; each is answered on the state the ones before left. */
export const operatorCalls: readonly (readonly ['add' | 'remove' | 'list', Record<string, unknown>])[] = [
  ['list', {}],
  ['add', { searchAttributes: { New: 2 } }],
  ['add', { searchAttributes: { New: 2 } }],
  ['add', { searchAttributes: { New: 3 } }],
  ['add', { searchAttributes: { New: 3, Other: 1 } }],
  ['add', { searchAttributes: {} }],
  ['add', { searchAttributes: { WorkflowId: 2 } }],
  ['add', { searchAttributes: { BuildIds: 7 } }],
  ['add', { searchAttributes: { TemporalMine: 2 } }],
  ['add', { searchAttributes: { Keyword01: 2 } }],
  ['add', { searchAttributes: { 'with space': 2 } }],
  ['add', { searchAttributes: { 'a`b': 2 } }],
  ['add', { searchAttributes: { '': 2 } }],
  ['add', { searchAttributes: { Zero: 0 } }],
  ['add', { searchAttributes: { Ninety: 90 } }],
  ['add', { searchAttributes: { B1: 5, B2: 5, B3: 5, B4: 5 } }],
  ['add', { searchAttributes: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`Many${i}`, 3])) }],
  ['add', { namespace: 'no-such', searchAttributes: { New: 2 } }],
  ['add', { namespace: '', searchAttributes: { Empty: 2 } }],
  ['remove', { searchAttributes: ['New'] }],
  ['remove', { searchAttributes: ['New'] }],
  ['remove', { searchAttributes: [] }],
  ['remove', { searchAttributes: ['WorkflowId'] }],
  ['remove', { searchAttributes: ['Keyword01'] }],
  ['remove', { searchAttributes: ['CK', 'Nope'] }],
  ['list', {}],
  ['list', { namespace: 'no-such' }],
  ['list', { namespace: '' }],
];
