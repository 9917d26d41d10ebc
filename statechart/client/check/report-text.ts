import type { CheckReport, Share } from './check-histories.ts';

/** A report as a table, and below it what no history has visited. */
export function reportText({ runs, coverage, breaking }: CheckReport): string {
  const rows = [
    ['history', 'workflow', 'status', 'state', 'verdict'],
    ...runs.map(({ name, workflowType, status, state, verdict, breaks }) => [
      name,
      workflowType,
      status,
      state,
      breaks ? `${verdict.toUpperCase()}` : verdict,
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const reasons = runs.filter(({ reason }) => reason !== '').map(({ name, reason }) => `${name}: ${reason}`);
  const visits = coverage.flatMap(({ machine, states, transitions }) => [
    `${machine}: ${shareText(states)} states, ${shareText(transitions)} transitions visited`,
    ...states.unvisited.map((id) => `  state ${id}`),
    ...transitions.unvisited.map((name) => `  transition ${name}`),
  ]);
  const end = breaking === 0 ? 'No open run breaks.' : `${breaking} open run(s) would break.`;
  return [table, reasons, visits, [end]]
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

const shareText = ({ visited, all }: Share): string => `${visited} of ${all}`;
