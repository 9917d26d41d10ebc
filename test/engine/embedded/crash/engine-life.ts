import { status } from '@grpc/grpc-js';
import { ADMIN_SERVICE } from '../../../../engine/histories/admin-service.ts';
import { type EngineParts, createParts } from '../../../../engine/embedded/engine-parts.ts';
import { grpcServices } from '../../../../engine/embedded/handlers/grpc-services.ts';
import { nextDeadline } from '../../../../engine/embedded/mutable-state/deadlines.ts';
import { PendingItems } from '../../../../engine/embedded/mutable-state/pending-items.ts';
import type { Limits } from '../../../../engine/embedded/primitives/limits.ts';
import type { RunRef } from '../../../../engine/embedded/primitives/run-ref.ts';
import type { StandaloneActivity } from '../../../../engine/embedded/standalone-activities/activity.ts';
import { RpcError } from '../../../../engine/embedded/protocol/rpc-error.ts';
import { recover } from '../../../../engine/embedded/recovery.ts';
import type { Call, Handler } from '../../../../engine/embedded/rpc/call.ts';
import { whenDurable } from '../../../../engine/embedded/rpc/when-durable.ts';
import { assert } from './check-history.ts';
import { type FaultDatabase, ProcessGone } from './fault-database.ts';

/** The caller is told that its change may not be durable; nothing is known of it. */
export class NotTold extends Error {
  override readonly name = 'NotTold';
}

const quiet = (): void => undefined;
const LOGGER = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';

const CALL: Call = {
  sdk: { name: '', version: '' },
  timeLeftMs: () => 5000,
  isCancelled: false,
  onCancel: () => quiet,
  onUndelivered: quiet,
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An engine from its start on a database until its process is gone, called without a network between. Its timers are jest's. */
export class EngineLife {
  readonly parts: EngineParts;
  readonly disk: FaultDatabase;
  readonly #handlers: Readonly<Record<string, Handler>>;
  #isOver = false;

  constructor(disk: FaultDatabase, limits: Partial<Limits> = {}) {
    this.disk = disk;
    this.parts = createParts(disk.db, {
      logger: LOGGER,
      // So few runs that they are read again and again, and polls that end at once.
      limits: { cachedRuns: 3, pollWaitMs: 1, continueAsNewSpacingMs: 0, ...limits },
    });
    const services = grpcServices(this.parts);
    this.#handlers = { ...services[SERVICE], ...services[ADMIN_SERVICE] };
  }

  recover(): void {
    recover(this.parts);
  }

  /**
   * Calls a method and answers when the server would.
   *
   * @throws RpcError what the server answers; NotTold when a commit failed meanwhile; ProcessGone when nobody is told anything
   */
  async ask(method: string, request: object): Promise<Record<string, unknown>> {
    const { group } = this.parts;
    const handler = this.#handlers[method];
    assert(handler !== undefined, `there is no ${method}`);
    const { failures } = group;
    try {
      return (await whenDurable(group, () => handler(request as never, CALL))) as Record<string, unknown>;
    } catch (error) {
      await group.settled().catch(quiet);
      if (this.disk.isGone) throw new ProcessGone();
      if (error instanceof RpcError) throw error.code === status.UNAVAILABLE ? new NotTold() : error;
      throw group.failures === failures ? error : new NotTold();
    } finally {
      await turn();
    }
  }

  /** Polls a queue; undefined when there is nothing. An empty poll takes a millisecond. */
  async poll(kind: 'Workflow' | 'Activity'): Promise<Record<string, unknown> | undefined> {
    let isOver = false;
    const polling = this.ask(`Poll${kind}TaskQueue`, {
      namespace: 'default',
      taskQueue: { name: 'q' },
      identity: 'worker',
    }).finally(() => (isOver = true));
    polling.catch(quiet);
    for (let turns = 0; turns < 4 && !isOver; turns += 1) await turn();
    if (!isOver) jest.advanceTimersByTime(1);
    const task = await polling;
    return task['taskToken'] === undefined ? undefined : task;
  }

  refs(): RunRef[] {
    this.parts.group.flush();
    return this.disk.db
      .prepare('SELECT namespace, workflow_id AS workflowId, run_id AS runId FROM runs ORDER BY run_key')
      .all() as RunRef[];
  }

  /** The activities that belong to no workflow, in the order of their starts, as they are in the file. */
  activities(): StandaloneActivity[] {
    this.parts.group.flush();
    const rows = this.disk.db
      .prepare(
        'SELECT namespace, activity_id AS activityId, run_id AS runId FROM activities ORDER BY activity_key',
      )
      .all() as StandaloneActivity['ref'][];
    return rows.flatMap((ref) => {
      const { namespace, activityId, runId } = ref;
      return this.parts.activityStore.find(namespace, activityId, runId) ?? [];
    });
  }

  /** Throws when memory differs from what a restart would read. */
  checkMemory(): void {
    const { runs, store } = this.parts;
    for (const ref of this.refs()) {
      const state = runs.peek(ref);
      const stored = store.find(ref);
      assert(state !== undefined && stored !== undefined, `${ref.workflowId} is not there`);
      const other = new PendingItems(stored.items);
      const { workflowTask, ...record } = state.record;
      const known = workflowTask?.kind === 'speculative' ? record : state.record;
      same(`the record of ${ref.workflowId}`, known, stored.state);
      for (const map of ['activities', 'timers', 'children'] as const) {
        same(`the ${map} of ${ref.workflowId}`, sorted(state.pending[map]), sorted(other[map]));
      }
      const at = nextDeadline({ record: stored.state, pending: other })?.at;
      assert(nextDeadline(state)?.at === at, `${ref.workflowId} has another deadline in memory`);
    }
    for (const { ref, state } of this.activities()) {
      same(`the state of ${ref.activityId}`, this.parts.activities.find(ref)?.state, state);
    }
  }

  /** Ends an engine in order, or lets go of what is left of one whose process is gone; again does nothing. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await turn();
    this.parts.group.close();
    await turn();
    // Last, because a commit that fails sets a timer, and the driver aborts the process when it is asked for a closed file.
    this.parts.timers.stop();
    this.parts.activityTimers.stop();
    jest.clearAllTimers();
    this.disk.db.close();
  }
}

function sorted(map: { values(): Iterable<object> }): string[] {
  return [...map.values()].map((item) => JSON.stringify(item)).toSorted();
}

function same(what: string, a: unknown, b: unknown): void {
  const [inMemory, inFile] = [JSON.stringify(plain(a)), JSON.stringify(plain(b))];
  assert(inMemory === inFile, `${what} differs: ${inMemory} in memory, ${inFile} in the file`);
}

/** The same value with its fields in order and without those that are undefined. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => [key, plain(field)]),
  );
}
