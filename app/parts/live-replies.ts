import { LiveRelay, LiveReplies } from '@steadyhand/sessions';
import type { Store } from '@steadyhand/store';
import type { Start } from './start.ts';

/**
 * Replies while models give them, for event streams of this process and, where the store carries them, of others. Undefined where
 * nobody could see them: a worker of its own with SQLite shows nothing before its events stand in the log.
 */
export function openLiveReplies(
  { config, shutdown }: Start,
  { relay }: Pick<Store, 'relay'>,
): LiveReplies | undefined {
  if (relay === null) return config.role === 'all' ? new LiveReplies() : undefined;
  const live = new LiveReplies();
  const carried = new LiveRelay(live, relay);
  shutdown.add(() => carried.close());
  return live;
}
