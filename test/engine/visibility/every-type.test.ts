import { CommandType } from '../../../engine/embedded/protocol/proto.ts';
import { IndexedValueType } from '../../../engine/embedded/visibility/attribute-types.ts';
import { errorOf } from '../embedded/support/rpc-error.ts';
import { RawWorker } from '../embedded/support/raw.ts';
import { type TestEngine, startTestEngine } from '../embedded/support/engine.ts';
import { json, raw } from './golden.ts';

/** Custom search attributes of every type over the wire. What is expected is what the dev server 1.32.0 answered. */

jest.setTimeout(60_000);

const TYPES = Object.fromEntries(Object.entries(IndexedValueType).map(([name, type]) => [`My${name}`, type]));
type Fields = Record<string, ReturnType<typeof json>>;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine({ searchAttributes: {} });
  const { operatorService } = engine.connection;
  await operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: TYPES });
});
afterAll(() => engine.close());

async function start(workflowId: string, indexedFields: Fields, type = 'any'): Promise<void> {
  await engine.connection.workflowService.startWorkflowExecution({
    namespace: 'default',
    workflowId,
    workflowType: { name: type },
    taskQueue: { name: workflowId },
    requestId: workflowId,
    searchAttributes: { indexedFields },
  });
}

/** What the run shows, as JSON. */
async function shown(workflowId: string): Promise<Record<string, string>> {
  const { raw: described } = await engine.client.workflow.getHandle(workflowId).describe();
  const fields = described.workflowExecutionInfo?.searchAttributes?.indexedFields ?? {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, { data }]) => [name, Buffer.from(data ?? []).toString()]),
  );
}

async function upsert(workflowId: string, indexedFields: Fields): Promise<void> {
  const worker = new RawWorker(engine, workflowId);
  await worker.complete(await worker.poll(), [
    {
      commandType: CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
      upsertWorkflowSearchAttributesCommandAttributes: { searchAttributes: { indexedFields } },
    },
  ]);
}

const list = async (condition: string): Promise<string> => {
  const found: string[] = [];
  const query = `WorkflowType = 'queried' AND (${condition})`;
  for await (const { workflowId } of engine.client.workflow.list({ query })) found.push(workflowId);
  return found.toSorted().join();
};

const ALL: Fields = {
  MyText: json('quick brown fox'),
  MyKeyword: json('alpha'),
  MyInt: json(10),
  MyDouble: json(2.5),
  MyBool: json(true),
  MyDatetime: json('2024-05-06T07:08:09Z'),
  MyKeywordList: json(['red', 'green']),
};
const texts = Object.fromEntries(
  Object.entries(ALL).map(([name, { data }]) => [name, Buffer.from(data ?? []).toString()]),
);

/** What a run has that a worker without a build id has had. */
const ofWorker = { BuildIds: '["unversioned"]' };

test('every type is set by a start and by an upsert, and taken away by null', async () => {
  await start('set', ALL);
  expect(await shown('set')).toEqual(texts);
  await start('upserted', {});
  await upsert('upserted', ALL);
  expect(await shown('upserted')).toEqual({ ...texts, ...ofWorker });
  await start('cleared', ALL);
  await upsert('cleared', Object.fromEntries(Object.keys(ALL).map((name) => [name, json(null)])));
  expect(await shown('cleared')).toEqual(ofWorker);
});

describe('every type is searched', () => {
  beforeAll(async () => {
    await start('qa', ALL, 'queried');
    const other: Fields = {
      MyText: json('lazy dog'),
      MyKeyword: json('beta'),
      MyInt: json(-3),
      MyDouble: json(-0.5),
      MyBool: json(false),
      MyDatetime: json('2023-01-01T00:00:00Z'),
      MyKeywordList: json(['blue']),
    };
    await start('qb', {}, 'queried');
    await upsert('qb', other);
    await start('qc', {}, 'queried');
  });

  test.each([
    ["MyText = 'QUICK dog'", 'qa,qb'],
    ["MyText != 'quick'", 'qb,qc'],
    ["MyKeyword = 'alpha'", 'qa'],
    ["MyKeyword > 'alpha'", 'qb'],
    ["MyKeyword STARTS_WITH 'al'", 'qa'],
    ["MyKeyword NOT STARTS_WITH 'al'", 'qb'],
    ["MyKeyword IN ('alpha', 'beta')", 'qa,qb'],
    ['MyInt < 0', 'qb'],
    ['MyInt BETWEEN 10 AND 10', 'qa'],
    ['MyDouble >= 2', 'qa'],
    ['MyBool = false', 'qb'],
    ["MyDatetime > '2024-01-01T00:00:00Z'", 'qa'],
    ["MyDatetime = '2024-05-06T09:08:09+02:00'", 'qa'],
    ["MyKeywordList = 'green'", 'qa'],
    ["MyKeywordList NOT IN ('green')", 'qb,qc'],
    ['MyBool IS NULL', 'qc'],
    ['MyKeywordList IS NOT NULL', 'qa,qb'],
  ])('%s', async (condition, expected) => {
    expect(await list(condition)).toBe(expected);
  });

  test.each([
    ["MyText > ''", 'no tokens found filtering on Text type search attribute MyText'],
    ["MyText = 'quick' ORDER BY MyText", 'unable to sort by search attribute type Text'],
    ["MyKeyword = 'alpha' ORDER BY MyKeyword", "'ORDER BY' clause"],
  ])('%s is refused', async (query, message) => {
    const { workflowService } = engine.connection;
    const listing = workflowService.listWorkflowExecutions({ namespace: 'default', query });
    expect((await errorOf(listing)).message).toContain(message);
  });
});

test.each([
  ['MyInt', raw('1.0'), 'invalid value for search attribute MyInt of type Int: 1'],
  ['MyInt', raw('1e3'), 'invalid value for search attribute MyInt of type Int: 1000'],
  ['MyInt', json('x'), 'invalid value for search attribute MyInt of type Int: x'],
  [
    'MyKeywordList',
    json([1, 2]),
    'invalid value for search attribute MyKeywordList of type KeywordList: [1 2]',
  ],
])('%s of another value is refused (%#)', async (name, payload, message) => {
  expect(await errorOf(start(`refused ${message}`, { [name]: payload }))).toMatchObject({ code: 3, message });
});

test.each([
  ['MyDatetime', json('0001-01-01T00:00:00Z')],
  ['MyDatetime', json('9999-12-31T23:59:59Z')],
  ['MyKeywordList', json(['a', null])],
  ['MyKeywordList', json([['x']])],
])('%s takes what the server takes (%#)', async (name, payload) => {
  const text = Buffer.from(payload.data ?? []).toString();
  await start(`taken ${text}`, { [name]: payload });
  expect(await shown(`taken ${text}`)).toEqual({ [name]: text });
});

test('times beyond those of an index are searched as the last one', async () => {
  await start('far', { MyDatetime: json('9999-12-31T23:59:59Z') }, 'queried');
  expect(await list("MyDatetime > '2200-01-01T00:00:00Z'")).toBe('far');
  const { executions } = await engine.connection.workflowService.listWorkflowExecutions({
    namespace: 'default',
    query: "WorkflowId = 'far'",
  });
  const data = executions[0]?.searchAttributes?.indexedFields?.['MyDatetime']?.data;
  expect(Buffer.from(data ?? []).toString()).toBe('"9999-12-31T23:59:59Z"');
});

test('an upsert of nothing fails its task, one that is too large ends the run', async () => {
  await start('nothing', {});
  expect((await errorOf(upsert('nothing', {}))).message).toBe(
    'BadSearchAttributes: IndexedFields is not set on UpsertWorkflowSearchAttributesCommand.',
  );
  await start('large', {});
  const message = 'BadSearchAttributes: search attribute MyKeyword value size 2051 exceeds size limit 2048';
  expect((await errorOf(upsert('large', { MyKeyword: json('y'.repeat(2049)) }))).message).toBe(message);
  expect((await engine.client.workflow.getHandle('large').describe()).status.name).toBe('TERMINATED');
});

test('an attribute whose name was removed is not shown any more', async () => {
  await start('removed', ALL);
  const { operatorService } = engine.connection;
  await operatorService.removeSearchAttributes({ namespace: 'default', searchAttributes: ['MyBool'] });
  const { MyBool: _, ...left } = texts;
  expect(await shown('removed')).toEqual(left);
});
