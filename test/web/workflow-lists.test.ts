import { holdRows } from '../../web/workflows/list/held-rows.ts';
import { clausesOf, literal, queryOf, withClause, withField } from '../../web/workflows/query/clauses.ts';
import { conditionOf } from '../../web/workflows/query/condition.ts';
import { statusIn, withStatus } from '../../web/workflows/query/status-clause.ts';

/** The query of the list and its rows. */

const fieldsOf = (query: string): unknown[] =>
  clausesOf(query).map(({ field, operator, value }) => [field, operator, value]);

test.each([
  ['', []],
  [`WorkflowType = 'order'`, [['WorkflowType', '=', 'order']]],
  [
    `WorkflowType="a AND b" and StartTime BETWEEN '1' AND '2' AND Amount>=12`,
    [
      ['WorkflowType', '=', 'a AND b'],
      ['StartTime', 'BETWEEN', `'1' AND '2'`],
      ['Amount', '>=', '12'],
    ],
  ],
  [`\`Customer\` IN ('a', 'b AND c')`, [['Customer', 'IN', `('a', 'b AND c')`]]],
  [`WorkflowId STARTS_WITH 'it\\'s'`, [['WorkflowId', 'STARTS_WITH', `it's`]]],
  [
    `ORDERS = 1 AND (A = 1 OR B = 2)`,
    [
      ['ORDERS', '=', '1'],
      [null, '', '(A = 1 OR B = 2)'],
    ],
  ],
  [`A = 1 OR B = 2`, [[null, '', 'A = 1 OR B = 2']]],
  [
    `what AND A = 1`,
    [
      [null, '', 'what'],
      ['A', '=', '1'],
    ],
  ],
])('the conditions of %s', (query, conditions) => {
  expect(fieldsOf(query)).toEqual(conditions);
});

test('a query keeps what the forms do not show', () => {
  const query = `A = 1 OR B = 2`;
  expect(withClause(query, `C = 3`)).toBe(`(A = 1 OR B = 2) AND C = 3`);
  expect(withClause(`C = 3`, `C = 3`)).toBe(`C = 3`);
  expect(withField(`A=1 AND B = 'x'`, 'B', `B = 'y'`)).toBe(`A=1 AND B = 'y'`);
  expect(queryOf([])).toBe('');
  expect(literal(`it's a \\`)).toBe(`'it\\'s a \\\\'`);
  expect(clausesOf(`A = ${literal(`it's a \\`)}`)[0]?.value).toBe(`it's a \\`);
});

test('the status is one condition of the query', () => {
  expect(withStatus(`WorkflowType = 'a'`, 'timed_out')).toBe(
    `WorkflowType = 'a' AND ExecutionStatus = 'TimedOut'`,
  );
  expect(statusIn(`ExecutionStatus = "Running"`)).toBe('running');
  expect(statusIn(`A = 1`)).toBe('all');
  expect(statusIn(`ExecutionStatus != 'Running'`)).toBeUndefined();
  expect(withStatus(`ExecutionStatus IN ('Running') AND A = 1`, 'all')).toBe(`A = 1`);
});

test('conditions are written for the type of their field', () => {
  expect(conditionOf('Customer', 'STARTS_WITH', 'a', 'Keyword')).toBe(`Customer STARTS_WITH 'a'`);
  expect(conditionOf('Amount', '>=', '12', 'Int')).toBe(`Amount >= 12`);
  expect(conditionOf('odd name', '=', 'true', 'Bool')).toBe('`odd name` = true');
  expect(conditionOf('StartTime', '>=', '2026-01-02T03:04:05Z', 'Datetime')).toBe(
    `StartTime >= '2026-01-02T03:04:05.000Z'`,
  );
});

test('rows stay while others come', () => {
  const keyOf = ({ id }: { id: string }): string => id;
  const first = holdRows(
    undefined,
    'q',
    [
      { id: 'b', n: 1 },
      { id: 'a', n: 1 },
    ],
    keyOf,
  );
  const next = holdRows(
    first,
    'q',
    [
      { id: 'd', n: 1 },
      { id: 'c', n: 1 },
      { id: 'b', n: 2 },
    ],
    keyOf,
  );
  expect(next.rows).toEqual([
    { id: 'b', n: 2 },
    { id: 'a', n: 1 },
  ]);
  expect(next.arrivals).toBe(2);
  expect(holdRows(next, 'another', [{ id: 'd', n: 1 }], keyOf)).toMatchObject({
    rows: [{ id: 'd' }],
    arrivals: 0,
  });
});
