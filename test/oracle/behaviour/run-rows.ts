import { Connection, type ConnectionOptions } from '@temporalio/client';
import { activities } from './rows/activities.ts';
import { batches } from './rows/batches.ts';
import { commands } from './rows/commands.ts';
import { ends } from './rows/ends.ts';
import { histories } from './rows/histories.ts';
import { lists } from './rows/lists.ts';
import { namespaces } from './rows/namespaces.ts';
import { otherWorkflows } from './rows/other-workflows.ts';
import { resets } from './rows/resets.ts';
import { schedules } from './rows/schedules.ts';
import { signals } from './rows/signals.ts';
import { standaloneActivities } from './rows/standalone-activities.ts';
import { standaloneControl } from './rows/standalone-control.ts';
import { starts } from './rows/starts.ts';
import { taskQueues } from './rows/task-queues.ts';
import { updatesAndQueries } from './rows/updates-and-queries.ts';
import { RowClient, type Row } from './row-client.ts';
import type { Answer } from './transcript.ts';

/** All that is asked of a server, a row for each thing that it must do as the real one does. */
export const rows: readonly Row[] = [
  ...starts,
  ...signals,
  ...ends,
  ...updatesAndQueries,
  ...commands,
  ...activities,
  ...standaloneActivities,
  ...standaloneControl,
  ...otherWorkflows,
  ...histories,
  ...resets,
  ...lists,
  ...namespaces,
  ...schedules,
  ...batches,
  ...taskQueues,
];

const AT_ONCE = 8;

/** Makes what the rows find on a server. */
export async function prepareServer(connection: Connection): Promise<void> {
  await connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: { RowKeyword: 2, RowInt: 3, RowList: 7 },
  });
  const server = new RowClient(connection);
  const workflowExecutionRetentionPeriod = { seconds: 86_400 };
  await server.call('registerNamespace', { namespace: 'row-other', workflowExecutionRetentionPeriod });
  // A server takes a moment until all of it knows a new namespace or attribute.
  await server.known('row-other', 'RowList');
}

/** A connection that gives a refusal back at once, where the usual one tries again. */
export function connectOnce(options: ConnectionOptions): Promise<Connection> {
  return Connection.connect({ ...options, interceptors: [] });
}

/** Runs all rows, some at once; what a row was answered, or why it could not be run, by its name. */
export async function runRows(
  connection: Connection,
  chosen: readonly Row[] = rows,
): Promise<Map<string, readonly Answer[] | Error>> {
  const answers = new Map<string, readonly Answer[] | Error>();
  const work = async (queue: Row[]): Promise<void> => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      const server = new RowClient(connection);
      try {
        await row.run(server);
        answers.set(row.name, server.answers);
      } catch (error) {
        answers.set(row.name, error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  const together = chosen.filter(({ alone }) => !alone);
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(together)));
  await work(chosen.filter(({ alone }) => alone));
  return answers;
}
