import type { CommitGroup } from '../persistence/commit-group.ts';
import { type RpcError, unavailable } from '../protocol/rpc-error.ts';

/** Makes the error for whoever asked for something when a commit failed. */
export const notDurable = (): RpcError => unavailable('the change could not be made durable');

/**
 * Does `work` and answers what it does once every change that it made, and that it saw, is durable.
 *
 * @throws RpcError UNAVAILABLE when a commit failed meanwhile, so that the changes may be lost
 */
export async function whenDurable<T>(
  group: Pick<CommitGroup, 'settled' | 'failures'>,
  work: () => T | Promise<T>,
): Promise<T> {
  const { failures } = group;
  const answer = await work();
  await group.settled().catch(() => undefined);
  if (group.failures !== failures) throw notDurable();
  return answer;
}
