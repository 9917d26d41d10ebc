import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { WorkflowExecutionStatus } from '../../../engine/embedded/protocol/proto.ts';
import { RpcError } from '../../../engine/embedded/protocol/rpc-error.ts';
import { operatorHandlers } from '../../../engine/embedded/handlers/search-attributes.ts';
import {
  mergeSearchAttributes,
  SearchAttributeRegistry,
} from '../../../engine/embedded/visibility/search-attribute-registry.ts';
import { VisibilityStore } from '../../../engine/embedded/visibility/visibility-store.ts';
import { namespaceNotFound } from '../../../engine/embedded/protocol/rpc-error.ts';
import { attributeValues, describeExecution, json, operatorCalls, raw } from './golden.ts';

type Shown = Record<string, { type: string; data: string }>;
type Answer = { history: Shown; described: Shown; listed?: Shown } | { code: number; error: string };
const golden = JSON.parse(readFileSync(join(__dirname, '../../oracle/visibility.json'), 'utf8')) as {
  values: Answer[];
  operations: Record<string, unknown>[];
};

function open(): {
  registry: SearchAttributeRegistry;
  store: VisibilityStore;
  db: InstanceType<typeof Database>;
} {
  const db = new Database(':memory:');
  const registry = new SearchAttributeRegistry(db);
  registry.add('default', { CK: 2, CT: 1, CI: 3, CD: 4, CB: 5, CDT: 6, CKL: 7 });
  return { registry, db, store: new VisibilityStore(db, registry) };
}

/** What the dev server loses or keeps because its table holds JSON floats and strings as they came. */
const listedOtherwise: Readonly<Record<number, Shown>> = {
  21: { CI: { type: 'Int', data: '9007199254740993' } },
  34: { CDT: { type: 'Datetime', data: '"2024-01-02T02:04:05Z"' } },
};

describe('search attribute values', () => {
  const { registry, store } = open();
  const cases = attributeValues.map(([name, payload], i): [number, string, string] => [
    i,
    name,
    Buffer.from(payload.data ?? [])
      .toString()
      .slice(0, 40),
  ]);

  test.each(cases)('#%d %s = %s is taken or refused as by the real server', (i, name) => {
    const expected = golden.values[i];
    const [, payload] = attributeValues[i] ?? [];
    if (expected === undefined || payload === undefined) throw new Error('not recorded');
    let answer: Answer;
    try {
      const attributes = mergeSearchAttributes({}, registry.validate('default', { [name]: payload }));
      const run = { workflowId: `value-${i}`, runId: `run-${i}` };
      const time = 1_700_000_000_000_000_000n;
      store.upsert({
        ...run,
        namespace: 'default',
        workflowType: 'Value',
        status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
        startTime: time,
        executionTime: time,
        taskQueue: 'q',
        memo: {},
        searchAttributes: attributes,
        root: run,
      });
      const shown = describeExecution({ searchAttributes: { indexedFields: attributes } }).searchAttributes;
      const { executions } = store.list({ namespace: 'default', query: `WorkflowId = '${run.workflowId}'` });
      const listed = executions[0] && describeExecution(executions[0]).searchAttributes;
      answer = { history: shown, described: shown, ...(listed === undefined ? {} : { listed }) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      answer = { code: error.code, error: error.message };
    }
    const listed = listedOtherwise[i];
    expect(answer).toEqual(listed === undefined ? expected : { ...expected, listed });
  });

  test('an upsert with null or an empty list takes an attribute away', () => {
    const current = { a: json('1'), b: json('2'), c: json('3') };
    const merged = mergeSearchAttributes(current, { a: json(null), b: json([]), d: json('4') });
    expect(Object.keys(merged)).toEqual(['c', 'd']);
  });
});

describe('the operator service', () => {
  test('answers a sequence of calls as the real server', () => {
    const { registry } = open();
    const operator = operatorHandlers(registry, (namespace) => {
      if (namespace !== 'default') throw namespaceNotFound(namespace);
    });
    const types = ['', 'TEXT', 'KEYWORD', 'INT', 'DOUBLE', 'BOOL', 'DATETIME', 'KEYWORD_LIST'];
    const named = (attributes: Record<string, number>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(attributes).map(([name, type]) => [name, `INDEXED_VALUE_TYPE_${types[type]}`]),
      );
    const answers = operatorCalls.map(([call, request]) => {
      try {
        const full = { namespace: 'default', ...request };
        if (call === 'add') return operator.AddSearchAttributes(full);
        if (call === 'remove') return operator.RemoveSearchAttributes(full);
        const { customAttributes, systemAttributes } = operator.ListSearchAttributes(full);
        return {
          customAttributes: named(customAttributes as Record<string, number>),
          systemAttributes: named(systemAttributes as Record<string, number>),
        };
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return { code: error.code, error: error.message };
      }
    });
    expect(answers).toEqual(golden.operations);
  });

  test('attributes survive reopening the database, with their fields', () => {
    const { registry, db } = open();
    registry.add('other', { CK: 3 });
    registry.remove('default', ['CT']);
    const again = new SearchAttributeRegistry(db);
    expect(again.aliases('default')).toEqual(registry.aliases('default'));
    expect(again.aliases('default')).toMatchObject({ Keyword01: 'CK', KeywordList01: 'CKL' });
    expect([...again.types('other')]).toEqual([['CK', 3]]);
    expect(again.types('default').has('CT')).toBe(false);
  });

  test('a name that was taken away can no longer be set, searched or seen', () => {
    const { registry, store } = open();
    const run = { workflowId: 'w', runId: 'r' };
    const record = {
      ...run,
      namespace: 'default',
      workflowType: 'T',
      status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
      startTime: 1n,
      executionTime: 1n,
      taskQueue: 'q',
      memo: {},
      searchAttributes: registry.validate('default', { CK: json('x'), CI: raw('5') }),
      root: run,
    };
    store.upsert(record);
    registry.remove('default', ['CK']);
    const { executions } = store.list({ namespace: 'default', query: '' });
    expect(Object.keys(executions[0]?.searchAttributes?.indexedFields ?? {})).toEqual(['CI']);
    expect(() => store.list({ namespace: 'default', query: `CK = 'x'` })).toThrow(
      'invalid search attribute: CK',
    );
    expect(() => registry.validate('default', { CK: json('x') })).toThrow('has no mapping defined');
    // Its field goes to the next name of the type, without what it held.
    registry.add('default', { Next: 2 });
    expect(registry.aliases('default')).toMatchObject({ Keyword01: 'Next' });
    expect(store.count({ namespace: 'default', query: `Next = 'x'` }).count).toBe(0);
    // A run of before, written again after: what has lost its name is left out, nothing fails.
    expect(() => store.upsert(record)).not.toThrow();
  });
});
