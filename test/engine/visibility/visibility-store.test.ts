import { draws, fc } from '../../support/fast-check.ts';
import Database from 'libsql';
import { WorkflowExecutionStatus } from '../../../engine/embedded/protocol/proto.ts';
import { RpcError } from '../../../engine/embedded/protocol/rpc-error.ts';
import { visibilityHandlers } from '../../../engine/embedded/handlers/visibility.ts';
import { SearchAttributeRegistry } from '../../../engine/embedded/visibility/search-attribute-registry.ts';
import type { VisibilityRecord } from '../../../engine/embedded/visibility/visibility-record.ts';
import { VisibilityStore } from '../../../engine/embedded/visibility/visibility-store.ts';
import { json, raw } from './golden.ts';
import { listQueries } from './queries.ts';

const namespace = 'default';
const second = 1_000_000_000n;

function open(): { store: VisibilityStore; registry: SearchAttributeRegistry } {
  const db = new Database(':memory:');
  const registry = new SearchAttributeRegistry(db);
  registry.add(namespace, { CK: 2, CT: 1, CI: 3, CD: 4, CB: 5, CDT: 6, CKL: 7 });
  return { store: new VisibilityStore(db, registry), registry };
}

function record(id: string, change: Partial<VisibilityRecord> = {}): VisibilityRecord {
  const run = { workflowId: id, runId: `run-${id}` };
  return {
    ...run,
    namespace,
    workflowType: 'T',
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    startTime: 1000n * second,
    executionTime: 1000n * second,
    taskQueue: 'q',
    memo: {},
    searchAttributes: {},
    root: run,
    ...change,
  };
}

/** Walks through all pages, failing on a token that leads nowhere. */
function pages(store: VisibilityStore, query: string, pageSize: number): string[][] {
  const all: string[][] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = store.list({ namespace, query, pageSize, nextPageToken });
    all.push(page.executions.map((e) => e.execution?.workflowId ?? ''));
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0 && all.length < 100);
  return all;
}

describe('pages', () => {
  test('in any size, every run comes once and in order, also those with equal times', () => {
    const { store } = open();
    const expected: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      store.upsert(record(`open-${i}`));
      expected.push(`open-${i}`);
    }
    for (let i = 0; i < 5; i += 1) {
      store.upsert(
        record(`closed-${i}`, {
          status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
          closeTime: 2000n * second,
        }),
      );
      expected.push(`closed-${i}`);
    }
    store.upsert(
      record('oldest', {
        status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
        startTime: 1n * second,
        closeTime: 1999n * second,
      }),
    );
    expected.push('oldest');
    for (const size of [1, 2, 3, 5, 10, 11, 12]) {
      const found = pages(store, '', size);
      expect(found.flat()).toEqual(expected);
      expect(found).toHaveLength(Math.ceil(expected.length / size));
    }
  });

  test('a run that closes between two pages is not shown twice', () => {
    const { store } = open();
    for (const id of ['a', 'b', 'c']) store.upsert(record(id));
    const first = store.list({ namespace, query: '', pageSize: 2 });
    store.upsert(
      record('a', {
        status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
        closeTime: 5000n * second,
      }),
    );
    const { nextPageToken } = first;
    const second_ = store.list({
      namespace,
      query: `ExecutionStatus = 'Running'`,
      pageSize: 2,
      nextPageToken,
    });
    expect(second_.executions.map((e) => e.execution?.workflowId)).toEqual(['c']);
  });

  test.each(['x', '{}', '[]', '5', '{"CloseTime":"x"}', '{"CloseTime":null,"StartTime":1.5,"RunID":"r"}'])(
    'a token that is not ours is refused: %s',
    (token) => {
      const { store } = open();
      expect(() => store.list({ namespace, query: '', nextPageToken: Buffer.from(token) })).toThrow(RpcError);
    },
  );
});

describe('rows', () => {
  test('an upsert replaces the whole row; a delete removes it; namespaces do not mix', () => {
    const { store } = open();
    const searchAttributes = { CK: json('x') };
    store.upsert(record('a', { searchAttributes, memo: { note: json('hi') } }));
    store.upsert(record('a', { namespace: 'other' }));
    expect(store.count({ namespace, query: `CK = 'x'` }).count).toBe(1);
    store.upsert(
      record('a', {
        status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
        closeTime: 2000n * second,
        historyLength: 7,
      }),
    );
    expect(store.count({ namespace, query: `CK IS NULL AND HistoryLength = 7` }).count).toBe(1);
    store.delete(namespace, 'run-a');
    expect(store.count({ namespace, query: '' }).count).toBe(0);
    expect(store.count({ namespace: 'other', query: '' }).count).toBe(1);
  });

  test('times are truncated to microseconds, whole numbers keep all 64 bits', () => {
    const { store } = open();
    const startTime = 1_700_000_000_123_456_789n;
    store.upsert(record('a', { startTime, searchAttributes: { CI: raw('9223372036854775807') } }));
    const [found] = store.list({ namespace, query: 'CI = 9223372036854775807' }).executions;
    expect(found?.startTime?.nanos).toBe(123_456_000);
    expect(store.count({ namespace, query: 'CI = 9223372036854775806' }).count).toBe(0);
  });

  test('a run of a division is found only by naming it', () => {
    const { store } = open();
    store.upsert(record('a', { searchAttributes: { TemporalNamespaceDivision: json('x') } }));
    expect(store.count({ namespace, query: '' }).count).toBe(0);
    expect(store.count({ namespace, query: `TemporalNamespaceDivision = 'x'` }).count).toBe(1);
  });
});

describe('plans', () => {
  test.each([
    ['', 'visibility_in_order'],
    [`ExecutionStatus = 'Running'`, 'visibility_in_order'],
    [`WorkflowId = 'x'`, 'visibility_by_workflow'],
    [`WorkflowId = 'x' AND ExecutionStatus = 'Running'`, 'visibility_by_workflow'],
    [`CK = 'x'`, 'visibility_by_Keyword01'],
    [`CK = 'x' AND ExecutionStatus = 'Running'`, 'visibility_by_Keyword01'],
    [`RunId = 'x'`, 'sqlite_autoindex_visibility_1'],
  ])('a page of %j is read from %s, in order', (query, index) => {
    const db = new Database(':memory:');
    const registry = new SearchAttributeRegistry(db);
    registry.add(namespace, { CK: 2 });
    const store = new VisibilityStore(db, registry);
    const prepared = jest.spyOn(db, 'prepare');
    store.list({ namespace, query, pageSize: 10 });
    const sql = prepared.mock.calls.at(-1)?.[0] ?? '';
    prepared.mockRestore();
    const bound = Array.from({ length: sql.split('?').length - 1 }, () => 'x');
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bound) as { detail: string }[];
    expect(plan[0]?.detail).toContain(`USING INDEX ${index} `);
  });
});

describe('the older list methods', () => {
  const { store } = open();
  store.upsert(record("it's", { workflowType: 'A', startTime: 10n * second }));
  store.upsert(record('back\\slash', { workflowType: 'B', startTime: 20n * second }));
  store.upsert(
    record('done', {
      workflowType: 'A',
      status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
      closeTime: 2000n * second,
    }),
  );
  store.upsert(
    record('failed', {
      workflowType: 'B',
      status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED,
      closeTime: 1900n * second,
    }),
  );
  const rpc = visibilityHandlers(store);
  const ids = (reply: {
    executions?: { execution?: { workflowId?: string | null } | null }[] | null;
  }): unknown[] => (reply.executions ?? []).map((e) => e.execution?.workflowId);

  test('filter by workflow id and type, whatever characters these have', () => {
    expect(ids(rpc.ListOpenWorkflowExecutions({ namespace }))).toEqual(['back\\slash', "it's"]);
    const exact = (workflowId: string): unknown =>
      ids(rpc.ListOpenWorkflowExecutions({ namespace, executionFilter: { workflowId } }));
    expect(exact("it's")).toEqual(["it's"]);
    expect(exact('back\\slash')).toEqual(['back\\slash']);
    expect(exact(`' OR WorkflowId != '`)).toEqual([]);
    expect(ids(rpc.ListClosedWorkflowExecutions({ namespace, typeFilter: { name: 'B' } }))).toEqual([
      'failed',
    ]);
  });

  test('filter by status and start time, and refuse what makes no sense', () => {
    expect(
      ids(
        rpc.ListClosedWorkflowExecutions({
          namespace,
          statusFilter: { status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED },
        }),
      ),
    ).toEqual(['done']);
    expect(() =>
      rpc.ListClosedWorkflowExecutions({
        namespace,
        statusFilter: { status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING },
      }),
    ).toThrow('StatusFilter must be specified and must be not Running.');
    const between = (from: number, to: number): unknown =>
      ids(
        rpc.ListOpenWorkflowExecutions({
          namespace,
          startTimeFilter: { earliestTime: { nanos: from * 1e9 }, latestTime: { nanos: to * 1e9 } },
        }),
      );
    expect(between(0, 15)).toEqual(["it's"]);
    expect(between(15, 25)).toEqual(['back\\slash']);
    expect(() => between(2, 1)).toThrow(
      'EarliestTime in StartTimeFilter should not be larger than LatestTime.',
    );
    expect(() => rpc.ListArchivedWorkflowExecutions()).toThrow('not configured for visibility archival');
  });
});

describe('any text as a query', () => {
  const { store } = open();
  store.upsert(
    record('a', { searchAttributes: { CK: json('x'), CI: json(5), CKL: json(['p']), CT: json('t u') } }),
  );
  const isAnsweredOrRefused = (query: string): boolean => {
    try {
      store.list({ namespace, query });
      store.count({ namespace, query });
      return true;
    } catch (error) {
      return error instanceof RpcError;
    }
  };

  test('is answered or refused with an RpcError, never anything else', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 60 }), isAnsweredOrRefused);
    expect(fc.check(property, { numRuns: draws(2000) })).toMatchObject({ failed: false });
  });

  test('made of the language’s own pieces, likewise', () => {
    const pieces = [
      ...new Set(listQueries.flatMap((q) => q.match(/'[^']*'|\w+|\S/g) ?? [])),
      '9223372036854775807',
      '-9223372036854775809',
      '1e309',
      '\u0000',
      '::list',
      '0x',
      '`a``b`',
      '😀',
      '/*',
      '--',
    ];
    const queries = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(' '));
    const property = fc.property(queries, isAnsweredOrRefused);
    expect(fc.check(property, { numRuns: draws(5000) })).toMatchObject({ failed: false });
  });

  test('nested beyond reason, likewise', () => {
    for (const deep of ['('.repeat(20_000), 'not '.repeat(20_000), '-'.repeat(20_000), '!'.repeat(20_000)]) {
      expect(() => store.list({ namespace, query: `${deep}CI = 5` })).toThrow(RpcError);
    }
    const wide = Array.from({ length: 3000 }, () => 'CI = 5').join(' AND ');
    expect(store.count({ namespace, query: wide }).count).toBe(1);
    expect(() =>
      store.list({ namespace, query: `${'('.repeat(150)}CI = 5${')'.repeat(150)}` }),
    ).not.toThrow();
    expect(isAnsweredOrRefused(`CI IN (${Array.from({ length: 40_000 }, (_, i) => i).join(', ')})`)).toBe(
      true,
    );
  });
});
