import type { Logger } from 'pino';
import { WorkflowNotFoundError } from '@temporalio/client';
import { sandboxIdOf, sandboxIdsUpTo } from '@steadyhand/activities';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import { removeSession, type SessionData } from '@steadyhand/sessions';
import type { DeletedSession, Store } from '@steadyhand/store';

interface SessionDeletionsOptions {
  readonly store: Store;
  readonly sandboxes: Pick<Sandboxes, 'delete'>;
  /** Ends the session's workflow; rejects with a WorkflowNotFoundError where none runs. */
  readonly endWorkflow: (session: string) => Promise<void>;
  readonly log: Logger;
}

/**
 * Finishes deletions that have begun, one process at a time each. The store's mark stays until the last part is removed, so a part
 * that fails, or a process that dies in between, only delays a deletion.
 */
export class SessionDeletions {
  readonly #options: SessionDeletionsOptions;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(options: SessionDeletionsOptions) {
    this.#options = options;
  }

  /** Removes a session whose deletion has begun. It never rejects: what failed is tried again. */
  async finish(session: string): Promise<void> {
    const running = this.#underWay.get(session) ?? this.#attempt(session);
    this.#underWay.set(session, running);
    await running;
  }

  /** Finishes those that nobody is at. */
  async finishAll(): Promise<void> {
    for (const { id } of await this.#options.store.sessions.deleting()) await this.finish(id);
  }

  async #attempt(session: string): Promise<void> {
    const { store, log } = this.#options;
    const lease = `deletion/${session}`;
    try {
      if ((await store.leases?.take(lease)) === false) return;
      const found = (await store.sessions.deleting()).find(({ id }) => id === session);
      if (found !== undefined) await this.#remove(found);
      await store.leases?.release(lease);
    } catch (error) {
      // The next round, here or elsewhere, tries again.
      log.warn({ err: error, session }, 'session not deleted yet');
      await store.leases?.release(lease).catch(() => undefined);
    } finally {
      this.#underWay.delete(session);
    }
  }

  async #remove({ id, data }: DeletedSession): Promise<void> {
    const { store, sandboxes, endWorkflow } = this.#options;
    // The workflow ends first, because it must not look for a record that is removed.
    try {
      await endWorkflow(id);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
    const known = (data as Partial<SessionData> | null)?.sandbox_id;
    for (const sandbox of sandboxIdsUpTo(known ?? sandboxIdOf(id))) await sandboxes.delete(sandbox);
    await removeSession(store, id);
  }
}
