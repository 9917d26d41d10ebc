import type { Store } from '@steadyhand/store';

/** The names of the installation's task queues. */
export interface TaskQueues {
  readonly sessions: string;
  /** Requests of batches have a task queue of their own, so that no session waits behind them. */
  readonly batches: string;
}

/** The name in versions before queues carried the installation. */
const EARLIER = 'steadyhand';

/**
 * The task queues of the store's installation: several installations may share a Temporal namespace, and none takes the tasks of
 * another's sessions. A store that has sessions or batches from before keeps the name under which their workflows wait. This is
 * decided once, whichever process is the first to ask.
 */
export async function taskQueuesOf(
  store: Pick<Store, 'installation' | 'settings' | 'sessions' | 'batches'>,
): Promise<TaskQueues> {
  const fresh = `${EARLIER}-${store.installation}`;
  const name = (await isFromBefore(store)) ? EARLIER : fresh;
  const sessions = await store.settings.getOrMake('task_queue', () => name);
  return { sessions, batches: `${sessions}-batches` };
}

async function isFromBefore({ sessions, batches }: Pick<Store, 'sessions' | 'batches'>): Promise<boolean> {
  const [session] = await sessions.list({ includeArchived: true, order: 'asc', limit: 1 });
  return session !== undefined || (await batches.unfinished()).length > 0;
}
