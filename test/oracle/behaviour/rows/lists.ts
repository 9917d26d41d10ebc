import type { Method, Request, Row, RowClient } from '../row-client.ts';
import { completion, json } from './values.ts';

const garbage = Buffer.from([1, 2, 3]);

const one = (name: string, count: number, query: (s: RowClient) => string): Row => ({
  name: `list: ${name}`,
  run: async (s) => {
    const searchAttributes = { indexedFields: { RowKeyword: json(s.id('k')) } };
    await s.start({ workflowId: s.id('closed'), searchAttributes });
    await s.complete(await s.task(), [completion]);
    await s.start({ memo: { fields: { m: json(1) } }, searchAttributes });
    await s.listed(`RowKeyword = '${s.id('k')}'`, 2);
    await s.listed(`RowKeyword = '${s.id('k')}' AND ExecutionStatus = 'Completed'`, 1);
    await s.listed(query(s), count);
    await s.call('listWorkflowExecutions', { query: query(s) });
    await s.call('countWorkflowExecutions', { query: query(s) });
    await s.call('scanWorkflowExecutions', { query: query(s) });
  },
});

const wrong: readonly [Method, string, Request][] = [
  ...(['listWorkflowExecutions', 'countWorkflowExecutions', 'scanWorkflowExecutions'] as const).flatMap(
    (method): [Method, string, Request][] => [
      [method, 'namespace unknown', { namespace: 'nowhere' }],
      [method, 'namespace empty', { namespace: '' }],
      [method, 'query that is none', { query: 'this is no query' }],
      [method, 'attribute unknown', { query: "Nope = 'x'" }],
      [method, 'status unknown', { query: "ExecutionStatus = 'Nope'" }],
      ...(method === 'countWorkflowExecutions'
        ? []
        : ([[method, 'page token garbage', { nextPageToken: garbage }]] satisfies [
            Method,
            string,
            Request,
          ][])),
    ],
  ),
  ['countWorkflowExecutions', 'grouped by a field that cannot be', { query: 'GROUP BY WorkflowType' }],
  ['countWorkflowExecutions', 'grouped by two', { query: 'GROUP BY ExecutionStatus, WorkflowType' }],
  ['listOpenWorkflowExecutions', 'namespace unknown', { namespace: 'nowhere' }],
  [
    'listOpenWorkflowExecutions',
    'from later than to',
    { startTimeFilter: { earliestTime: { seconds: 100 }, latestTime: { seconds: 50 } } },
  ],
  ['listClosedWorkflowExecutions', 'namespace unknown', { namespace: 'nowhere' }],
  ['listClosedWorkflowExecutions', 'page token garbage', { nextPageToken: garbage }],
  ['listArchivedWorkflowExecutions', 'nothing is archived', {}],
  ['listArchivedWorkflowExecutions', 'namespace unknown', { namespace: 'nowhere' }],
];

export const lists: readonly Row[] = [
  one('by an attribute', 2, (s) => `RowKeyword = '${s.id('k')}'`),
  one('by id and status', 1, (s) => `WorkflowId = '${s.id('w')}' AND ExecutionStatus = 'Running'`),
  ...wrong.map(([method, name, request]): Row => ({
    name: `${method}: ${name}`,
    run: (s) => s.call(method, request),
  })),
  {
    name: 'count: grouped by status',
    run: async (s) => {
      await s.start({ searchAttributes: { indexedFields: { RowKeyword: json(s.id('g')) } } });
      await s.listed(`RowKeyword = '${s.id('g')}'`, 1);
      await s.call('countWorkflowExecutions', {
        query: `RowKeyword = '${s.id('g')}' GROUP BY ExecutionStatus`,
      });
    },
  },
  {
    name: 'list open and closed: by the id of a run',
    run: async (s) => {
      await s.start();
      await s.listed(`WorkflowId = '${s.id('w')}'`, 1);
      const filter = { executionFilter: { workflowId: s.id('w') } };
      const startTimeFilter = { earliestTime: { seconds: 1 }, latestTime: { seconds: 4_000_000_000 } };
      await s.call('listOpenWorkflowExecutions', { ...filter, startTimeFilter });
      await s.call('listClosedWorkflowExecutions', { ...filter, startTimeFilter });
    },
  },
];
