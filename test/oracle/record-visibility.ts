/**
 * Records what the real server answers to the queries of `test/engine/visibility/queries.ts`.
 *
 *   temporal server start-dev --headless --port 7299 --search-attribute CK=Keyword --search-attribute CT=Text \
 *     --search-attribute CI=Int --search-attribute CD=Double --search-attribute CB=Bool \
 *     --search-attribute CDT=Datetime --search-attribute CKL=KeywordList &
 *   npx esbuild test/oracle/record-visibility.ts --bundle --platform=node --format=esm --packages=external \
 *     --outfile=.tmp/record-visibility.mjs && node .tmp/record-visibility.mjs 127.0.0.1:7299
 *
 * The server must be fresh (no runs yet). Writes test/oracle/visibility.json.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { countQueries, listQueries } from '../engine/visibility/queries.ts';
import {
  attributeValues,
  describeCount,
  describeExecution,
  fill,
  json,
  operatorCalls,
  type GoldenExecution,
} from '../engine/visibility/golden.ts';

const address = process.argv[2] ?? '127.0.0.1:7299';
const namespace = 'default';
const connection = await Connection.connect({ address });
const service = connection.workflowService;
const operator = connection.operatorService;
const identity = 'oracle';

const start = async (workflowId: string, type: string, queue: string, more: object = {}): Promise<string> => {
  const reply = await service.startWorkflowExecution({
    namespace,
    workflowId,
    workflowType: { name: type },
    taskQueue: { name: queue },
    requestId: `${workflowId}-${Math.random()}`,
    identity,
    ...more,
  });
  await sleep(20);
  return reply.runId;
};
const attributes = (values: Record<string, unknown>): object => ({
  searchAttributes: {
    indexedFields: Object.fromEntries(Object.entries(values).map(([k, v]) => [k, json(v)])),
  },
});
/** Answers the one pending workflow task of a queue with the given commands. */
const answer = async (queue: string, commands: object[]): Promise<void> => {
  const task = await connection.withDeadline(Date.now() + 10_000, () =>
    service.pollWorkflowTaskQueue({ namespace, taskQueue: { name: queue }, identity }),
  );
  await service.respondWorkflowTaskCompleted({ namespace, taskToken: task.taskToken, identity, commands });
  await sleep(20);
};

const failure = { message: 'broken', applicationFailureInfo: { type: 'Broken', nonRetryable: true } };
await start(
  'alpha-1',
  'Greeter',
  'q-open',
  attributes({
    CK: 'one',
    CI: 1,
    CD: 1.5,
    CB: true,
    CDT: '2024-01-02T03:04:05Z',
    CT: 'The quick brown fox',
    CKL: ['a', 'b'],
  }),
);
await start(
  'alpha-2',
  'Greeter',
  'q-open',
  attributes({
    CK: 'two',
    CI: 2,
    CD: 2,
    CB: false,
    CDT: '2024-01-02T03:04:05.123456789Z',
    CT: 'lazy dog, the-end',
    CKL: ['b', 'c', 'with space'],
  }),
);
await start('beta-1', 'Order', 'q-close', attributes({ CK: 'one', CI: 7 }));
await answer('q-close', [{ commandType: 4, completeWorkflowExecutionCommandAttributes: {} }]);
await start('beta-2', 'Order', 'q-close', attributes({ CI: -3, CD: 0.5 }));
await answer('q-close', [{ commandType: 5, failWorkflowExecutionCommandAttributes: { failure } }]);
await start('beta-3', 'Order', 'q-close', attributes({ CK: "o'neil", CKL: ['A'] }));
await service.terminateWorkflowExecution({
  namespace,
  workflowExecution: { workflowId: 'beta-3' },
  reason: 'test',
});
await start('gamma-1', 'Greeter', 'q-close', {
  ...attributes({ CI: 9007199254740992 }),
  memo: { fields: { note: json('hi') } },
});
await service.requestCancelWorkflowExecution({ namespace, workflowExecution: { workflowId: 'gamma-1' } });
await answer('q-close', [{ commandType: 7, cancelWorkflowExecutionCommandAttributes: {} }]);
await start('gamma-2', 'Greeter', 'q-timeout', { workflowRunTimeout: { seconds: 1 } });
await start('gamma-3', 'Greeter', 'q-can');
await answer('q-can', [
  {
    commandType: 10,
    continueAsNewWorkflowExecutionCommandAttributes: {
      workflowType: { name: 'Greeter' },
      taskQueue: { name: 'q-open' },
    },
  },
]);
await start('parent-1', 'Parent', 'q-parent');
await answer('q-parent', [
  {
    commandType: 11,
    startChildWorkflowExecutionCommandAttributes: {
      workflowId: 'child-1',
      workflowType: { name: 'Child' },
      taskQueue: { name: 'q-open' },
      parentClosePolicy: 1,
    },
  },
  {
    commandType: 13,
    upsertWorkflowSearchAttributesCommandAttributes: {
      searchAttributes: { indexedFields: { TemporalChangeVersion: json(['fix-1', 'fix-2']) } },
    },
  },
]);
await sleep(200);
await start('delayed-1', 'Greeter', 'q-open', { workflowStartDelay: { seconds: 3600 } });
await sleep(2000);

const list = async (query: string): Promise<GoldenExecution[]> => {
  const reply = await service.listWorkflowExecutions({ namespace, query });
  return reply.executions.map(describeExecution);
};
const attempt = async <T>(work: () => Promise<T>): Promise<T | { code: number; error: string }> => {
  try {
    return await work();
  } catch (error) {
    const { code, details } = error as { code: number; details: string };
    return { code, error: details };
  }
};

const executions = await list('');
const listed: Record<string, unknown> = {};
for (const query of listQueries) {
  listed[query] = await attempt(async () =>
    (await list(fill(query, executions))).map((e) => `${e.workflowId}/${e.status}`),
  );
}
const counted: Record<string, unknown> = {};
for (const query of countQueries) {
  counted[query] = await attempt(async () =>
    describeCount(await service.countWorkflowExecutions({ namespace, query })),
  );
}

const values: unknown[] = [];
for (const [name, payload] of attributeValues) {
  values.push(
    await attempt(async () => {
      const workflowId = `value-${values.length}`;
      await start(workflowId, 'Value', 'q-value', {
        searchAttributes: { indexedFields: { [name]: payload } },
      });
      const { workflowExecutionInfo } = await service.describeWorkflowExecution({
        namespace,
        execution: { workflowId },
      });
      const history = await service.getWorkflowExecutionHistory({ namespace, execution: { workflowId } });
      const started = history.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.searchAttributes;
      const found = (await list(`WorkflowId = '${workflowId}'`))[0];
      await service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId } });
      return {
        history: describeExecution({ searchAttributes: started ?? null }).searchAttributes,
        described: describeExecution({ searchAttributes: workflowExecutionInfo?.searchAttributes ?? null })
          .searchAttributes,
        listed: found?.searchAttributes,
      };
    }),
  );
}

const operations: unknown[] = [];
for (const [call, request] of operatorCalls) {
  operations.push(
    await attempt(async () => {
      const full = { namespace, ...request };
      if (call === 'add') return await operator.addSearchAttributes(full);
      if (call === 'remove') return await operator.removeSearchAttributes(full);
      return await operator.listSearchAttributes(full);
    }),
  );
}

const { serverVersion } = await service.getSystemInfo({});
const golden = { serverVersion, executions, list: listed, count: counted, values, operations };
await writeFile('test/oracle/visibility.json', `${JSON.stringify(golden, null, 1)}\n`);
await connection.close();
