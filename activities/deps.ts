import type { ProviderRegistry } from '../messages/index.ts';
import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import type { Store } from '../store/index.ts';

/** What the activities work with. */
export interface ActivityDeps {
  readonly store: Store;
  readonly providers: ProviderRegistry;
  readonly sandboxes: Sandboxes;
}
