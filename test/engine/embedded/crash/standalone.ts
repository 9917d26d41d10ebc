import {
  type StandaloneActivity,
  isClosed,
} from '../../../../engine/embedded/standalone-activities/activity.ts';
import { duration } from '../../../../engine/embedded/protocol/values.ts';
import { assert } from './check-history.ts';
import type { EngineLife } from './engine-life.ts';

const NAMES = ['a0', 'a1', 'a2'];

/** How a schedule of faults calls, and chooses. */
interface Caller {
  readonly random: () => number;
  readonly fresh: (prefix: string) => string;
  /** Undefined when the answer is an error that may be, or nobody was answered, which `lost` is told. */
  readonly ask: (
    method: string,
    request: object,
    lost?: () => void,
  ) => Promise<Record<string, unknown> | undefined>;
  /** Keeps a request that was not answered, to be sent again. */
  readonly again: (send: () => Promise<void>) => void;
}

/** What clients do with activities that belong to no workflow, and what they were told, which has to stay true. */
export class StandaloneClients {
  readonly #caller: Caller;
  /** The ids of runs whose start was answered. */
  readonly #started = new Map<string, string>();
  readonly #completed = new Set<string>();
  readonly #ended = new Set<string>();
  /** Of runs that somebody asked to delete, and whether that was answered. */
  readonly #deleted = new Map<string, boolean>();
  #hasDeleted = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async call(life: EngineLife): Promise<void> {
    const { random, fresh, ask } = this.#caller;
    const kind = random();
    const activity = this.all(life).at(-1 - Math.floor(random() * 4));
    if (kind < 0.5 || !activity) {
      await this.#start();
      return;
    }
    const { activityId, runId } = activity.ref;
    const one = { activityId, runId, requestId: fresh('order') };
    if (kind < 0.65) await ask('PauseActivityExecution', one);
    else if (kind < 0.8) await ask('UnpauseActivityExecution', one);
    else if (kind < 0.87) await ask('RequestCancelActivityExecution', one);
    else if (kind < 0.94) {
      if (await ask('TerminateActivityExecution', one)) this.#ended.add(runId);
    } else await this.#delete(activity);
  }

  async #start(): Promise<void> {
    const { random, fresh, ask, again } = this.#caller;
    const request = {
      activityId: NAMES[Math.floor(random() * NAMES.length)] ?? '',
      requestId: fresh('start'),
      activityType: { name: 't' },
      taskQueue: { name: 'q' },
      startToCloseTimeout: duration(10_000),
      ...(random() < 0.2 && { startDelay: duration(3000) }),
    };
    const send = async (): Promise<void> => {
      const answer = await ask('StartActivityExecution', request, () => {
        again(send);
      });
      if (answer) this.#started.set(String(answer['runId']), request.activityId);
    };
    await send();
  }

  async #delete({ ref: { activityId, runId } }: StandaloneActivity): Promise<void> {
    this.#hasDeleted = true;
    this.#deleted.set(runId, this.#deleted.get(runId) ?? false);
    const answer = await this.#caller.ask('DeleteActivityExecution', { activityId, runId });
    if (answer) this.#deleted.set(runId, true);
  }

  /** A worker was told that its completion of a run was taken. */
  wasCompleted(runId: string): void {
    this.#completed.add(runId);
  }

  /** Frees what is paused, so that it comes to its end. */
  async unpauseAll(life: EngineLife): Promise<void> {
    for (const { ref, state } of this.open(life)) {
      const { activityId, runId } = ref;
      const isHeld = state.status === 'Paused' || state.status === 'PauseRequested';
      if (isHeld) await this.#caller.ask('UnpauseActivityExecution', { activityId, runId });
    }
  }

  open(life: EngineLife): StandaloneActivity[] {
    return this.all(life).filter(({ state }) => !isClosed(state));
  }

  all(life: EngineLife): StandaloneActivity[] {
    return life.activities();
  }

  /** Throws when what is there differs from what was told. */
  check(life: EngineLife): void {
    const all = this.all(life);
    const byRun = new Map(all.map((activity) => [activity.ref.runId, activity]));
    for (const runId of this.#started.keys()) {
      assert(byRun.has(runId) || this.#deleted.has(runId), `${runId} is lost`);
    }
    for (const [runId, isTold] of this.#deleted) {
      assert(!isTold || !byRun.has(runId), `${runId} is back after it was deleted`);
    }
    for (const runId of this.#completed) {
      const status = byRun.get(runId)?.state.status;
      assert(status === undefined || status === 'Completed', `${runId} was completed and is ${status}`);
    }
    for (const runId of this.#ended) {
      const state = byRun.get(runId)?.state;
      assert(state === undefined || isClosed(state), `${runId} runs again`);
    }
    const last = new Map<string, StandaloneActivity>();
    for (const activity of all) {
      const before = last.get(activity.ref.activityId);
      last.set(activity.ref.activityId, activity);
      if (!before) continue;
      assert(isClosed(before.state), `${before.ref.activityId} runs twice`);
      const isSame = before.state.startRequestId === activity.state.startRequestId;
      assert(!isSame || this.#hasDeleted, `${activity.state.startRequestId} has started two runs`);
    }
  }

  /** Throws when what is listed is not what is there. */
  async checkListing(life: EngineLife): Promise<void> {
    const answer = await life.ask('ListActivityExecutions', { namespace: 'default', query: '' });
    const listed = answer['executions'] as { runId: string; status: number; closeTime: object | null }[];
    const found = listed.map(({ runId, closeTime }) => `${runId} ${closeTime !== null}`);
    const wanted = this.all(life).map(({ ref, state }) => `${ref.runId} ${isClosed(state)}`);
    assert(found.toSorted().join() === wanted.toSorted().join(), 'what is listed is not what is there');
  }
}
