import type { FileContents, ProviderRegistry } from '@steadyhand/messages';
import type { Tracing } from '@steadyhand/contracts';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import type { ActionPolicy, LiveReplies, Vault } from '@steadyhand/sessions';
import type { Store } from '@steadyhand/store';
import type { ActivityObserver } from './observer.ts';

/** What the activities of sessions work with. */
export interface ActivityDeps {
  readonly store: Store;
  readonly providers: ProviderRegistry;
  readonly sandboxes: Sandboxes;
  /** Milliseconds that a session waits for a place on a machine of the sandbox pool; default: half an hour. */
  readonly computerWaitMs?: number | undefined;
  /** Rules for every session of this server. */
  readonly policy?: ActionPolicy | undefined;
  /** Opens sessions' secrets. */
  readonly vault?: Vault | undefined;
  /** Shows replies while they are made to event streams of the same process; without it they are not shown. */
  readonly live?: LiveReplies | undefined;
  /** Tells of tool uses; default: nobody. */
  readonly tracing?: Tracing | undefined;
  /** Learns what the activities do. */
  readonly observer?: ActivityObserver | undefined;
}

/** What the activities of batches work with. */
export interface BatchActivityDeps {
  readonly store: Pick<Store, 'batches' | 'leases'>;
  readonly providers: ProviderRegistry;
  /** The bytes of uploaded files that requests refer to. */
  readonly files: FileContents;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
}
