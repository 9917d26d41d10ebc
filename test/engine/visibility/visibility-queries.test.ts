import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { RpcError } from '../../../engine/embedded/protocol/rpc-error.ts';
import { visibilityHandlers } from '../../../engine/embedded/handlers/visibility.ts';
import { SearchAttributeRegistry } from '../../../engine/embedded/visibility/search-attribute-registry.ts';
import type { VisibilityRecord } from '../../../engine/embedded/visibility/visibility-record.ts';
import { VisibilityStore } from '../../../engine/embedded/visibility/visibility-store.ts';
import { describeCount, describeExecution, fill, type GoldenExecution, raw } from './golden.ts';
import { countQueries, listQueries } from './queries.ts';

type Answer<T> = T | { code: number; error: string };
interface Golden {
  executions: GoldenExecution[];
  list: Record<string, Answer<string[]>>;
  count: Record<string, Answer<{ count: string; groups: unknown[] }>>;
}

const golden = JSON.parse(readFileSync(join(__dirname, '../../oracle/visibility.json'), 'utf8')) as Golden;

/** Where the embedded engine answers otherwise on purpose: the dev server's SQLite store departs from the others. */
const deviations: Readonly<Record<string, { why: string; answer: string[] | string }>> = {
  [`BatcherNamespace = 'x'`]: { why: "the dev server's table lacks the column", answer: [] },
  [`Keyword40 = 'one'`]: { why: 'same error', answer: 'invalid query: invalid search attribute: Keyword40' },
  [`Keyword01 = 'one'`]: {
    why: 'fields are given out in order of registration, here CK first',
    answer: ['alpha-1/1', 'beta-1/2'],
  },
  [`CDT = '2024-01-02T03:04:05Z'`]: { why: 'compared as times, not as strings', answer: ['alpha-1/1'] },
  [`CDT = '2024-01-02T04:04:05+01:00'`]: { why: 'compared as times', answer: ['alpha-1/1'] },
  [`CDT = 1704164645000000000`]: { why: 'compared as times', answer: ['alpha-1/1'] },
  [`CDT = '2024-01-02T03:04:05.123456789Z'`]: { why: 'compared as times', answer: ['alpha-2/1'] },
  [`CDT IN ('2024-01-02T03:04:05Z')`]: { why: 'compared as times', answer: ['alpha-1/1'] },
  [`CKL = 'a'`]: { why: 'keywords are compared exactly', answer: ['alpha-1/1'] },
  [`CKL = 'A'`]: { why: 'keywords are compared exactly', answer: ['beta-3/5'] },
  [`CKL IN ('a', 'c')`]: { why: 'keywords are compared exactly', answer: ['alpha-2/1', 'alpha-1/1'] },
  [`CKL NOT IN ('a', 'c')`]: {
    why: 'keywords are compared exactly',
    answer:
      'delayed-1/1 child-1/1 parent-1/1 gamma-3/1 gamma-2/7 gamma-3/6 gamma-1/4 beta-3/5 beta-2/3 beta-1/2'.split(
        ' ',
      ),
  },
  [`WorkflowType = 'Order' UNION SELECT 1`]: {
    why: 'the server fails with an internal error',
    answer: "invalid query: malformed SQL query: syntax error at position 56 near 'union'",
  },
};

function openGolden(): VisibilityStore {
  const db = new Database(':memory:');
  const registry = new SearchAttributeRegistry(db);
  registry.add('default', { CK: 2, CT: 1, CI: 3, CD: 4, CB: 5, CDT: 6, CKL: 7 });
  const store = new VisibilityStore(db, registry);
  for (const execution of golden.executions) store.upsert(toRecord(execution));
  return store;
}

function toRecord(e: GoldenExecution): VisibilityRecord {
  return {
    namespace: 'default',
    workflowId: e.workflowId,
    runId: e.runId,
    workflowType: e.workflowType,
    status: e.status,
    startTime: BigInt(e.startTime),
    executionTime: BigInt(e.executionTime),
    ...(e.closeTime === undefined ? {} : { closeTime: BigInt(e.closeTime) }),
    historyLength: Number(e.historyLength ?? 0),
    historySizeBytes: Number(e.historySizeBytes ?? 0),
    stateTransitionCount: Number(e.stateTransitionCount ?? 0),
    taskQueue: e.taskQueue,
    memo: Object.fromEntries(Object.entries(e.memo).map(([k, data]) => [k, raw(data)])),
    searchAttributes: Object.fromEntries(
      Object.entries(e.searchAttributes).map(([k, { type, data }]) => [k, raw(data, type)]),
    ),
    ...(e.parent === undefined ? {} : { parent: e.parent }),
    root: e.root ?? { workflowId: e.workflowId, runId: e.runId },
  };
}

function answerOf<T>(work: () => T): Answer<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { code: error.code, error: error.message };
  }
}

describe('the visibility query language', () => {
  const store = openGolden();
  const rpc = visibilityHandlers(store);
  const list = (query: string): Answer<string[]> =>
    answerOf(() =>
      (rpc.ListWorkflowExecutions({ namespace: 'default', query }).executions ?? []).map(
        (e) => `${e.execution?.workflowId}/${e.status}`,
      ),
    );

  test.each(listQueries)('list %j answers as the real server', (query) => {
    const deviation = deviations[query];
    const expected =
      deviation === undefined
        ? golden.list[query]
        : typeof deviation.answer === 'string'
          ? { code: 3, error: deviation.answer }
          : deviation.answer;
    expect(expected).toBeDefined();
    expect(list(fill(query, golden.executions))).toEqual(expected);
  });

  test.each(countQueries)('count %j answers as the real server', (query) => {
    const answer = answerOf(() =>
      describeCount(rpc.CountWorkflowExecutions({ namespace: 'default', query })),
    );
    expect(answer).toEqual(golden.count[query]);
  });

  test('a listed execution has the fields of the real server', () => {
    const listed = (rpc.ListWorkflowExecutions({ namespace: 'default' }).executions ?? []).map(
      describeExecution,
    );
    const rest = ({ executionDuration: _duration, ...fields }: GoldenExecution): object => fields;
    expect(listed.map(rest)).toEqual(golden.executions.map(rest));
    // The recorded times have lost their nanoseconds, the recorded durations have not.
    const rounded = (e: GoldenExecution): number | undefined =>
      e.executionDuration === undefined ? undefined : Math.floor(Number(e.executionDuration) / 1e5);
    expect(listed.map(rounded)).toEqual(golden.executions.map(rounded));
  });
});
