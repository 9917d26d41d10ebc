import type { Difference } from './differences.ts';
import type { Row } from './row.ts';

/** docs/statechart-differences.md. */
export function differencesPage(rows: readonly Row[], differences: readonly Difference[]): string {
  const sections = differences.map(
    ({ row, ways, plain, durable, reason }) =>
      `## ${row}\n\n- In XState: ${plain}\n- In a durable actor: ${durable}\n- Why: ${reason}\n- Seen in: ${ways.join('; ')}\n`,
  );
  return [
    '# Where a durable actor differs from XState\n',
    'This page lists what a machine does otherwise as a durable actor than under `createActor`.\n',
    `The tests hold ${rows.length} machines (\`test/statechart/behaviour\`) and the 169 SCXML cases that XState runs itself against`,
    '`createActor`: in a test actor, in a workflow, in a workflow that is replayed at every task, and in one that continues',
    'as new whenever it can. What they compare is the state, the context, the tags, the status, the output, the error, the',
    'emitted events and the order of custom actions. These are all the differences that they find; the test writes this page.\n',
    ...sections,
  ].join('\n');
}
