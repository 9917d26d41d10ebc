import type { HistoryEvent } from '../../../../engine/embedded/history/events.ts';
import type { MutableState } from '../../../../engine/embedded/mutable-state/mutable-state.ts';
import { HistoryEvent as HistoryEventType, fromEncoded } from '../../../../engine/embedded/protocol/proto.ts';
import { toNumber } from '../../../../engine/embedded/protocol/values.ts';
import { assert, checkHistory, factsOf, kindOf } from './check-history.ts';
import type { EngineLife } from './engine-life.ts';

interface Run {
  readonly name: string;
  readonly state: MutableState;
  readonly events: readonly HistoryEvent[];
  /** With those that wait for the end of a workflow task. */
  readonly all: readonly HistoryEvent[];
}

/** What callers were told, which has to stay true whatever happens. */
export class PromisesKept {
  /** Of runs whose start was answered. */
  readonly started = new Set<string>();
  /** The names of signals by the run that took them. */
  readonly signals: { readonly runId: string; readonly name: string }[] = [];
  /** The ids of activities whose completion was answered. */
  readonly completed: { readonly runId: string; readonly activityId: string }[] = [];
  readonly ended = new Set<string>();
  /** Whether runs were paused, as their operator was told last; not of runs of which that is not known. */
  readonly paused = new Map<string, boolean>();
  /** The kinds of the events with which runs came in. */
  readonly imported = new Map<string, readonly string[]>();
  /** Of runs that somebody asked to delete, and whether that was answered. */
  readonly deleted = new Map<string, boolean>();
  /** The workflow ids of those runs. */
  readonly deletedWorkflows = new Set<string>();
  /** The events of each run as they were read at some time. */
  readonly #read = new Map<string, readonly string[]>();

  /** Throws when the file is damaged, or differs from what was told, or says of anything twice that it happened. */
  check(life: EngineLife): void {
    const { integrity_check } = life.disk.db.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    assert(integrity_check === 'ok', `the file is damaged: ${integrity_check}`);
    const runs = new Map<string, Run>();
    for (const ref of life.refs()) {
      const state = life.parts.runs.peek(ref);
      assert(state !== undefined, `${ref.workflowId} is not there`);
      const events = allEvents(state);
      const waiting = state.record.buffered.map((encoded) => fromEncoded(HistoryEventType, encoded));
      const name = `${ref.workflowId} (${ref.runId})`;
      runs.set(ref.runId, { name, state, events, all: [...events, ...waiting] });
    }
    for (const [runId, run] of runs) {
      checkHistory(run.name, run.events, !run.state.isRunning);
      checkPending(run);
      const kinds = run.events.map(kindOf);
      const before = this.#read.get(runId) ?? [];
      assert(
        before.every((kind, index) => kinds[index] === kind),
        `${run.name}: events that were read are gone`,
      );
      this.#read.set(runId, kinds);
    }
    this.#checkTold(runs);
    checkStarts(runs.values(), this.deletedWorkflows);
    life.checkMemory();
  }

  #checkTold(runs: ReadonlyMap<string, Run>): void {
    for (const [runId, isTold] of this.deleted) {
      assert(!isTold || !runs.has(runId), `${runId} is back after it was deleted`);
    }
    const expected = (runId: string): Run | undefined => {
      const run = runs.get(runId);
      assert(run !== undefined || this.deleted.has(runId), `${runId} is lost`);
      return run;
    };
    for (const runId of this.started) expected(runId);
    for (const runId of this.#read.keys()) expected(runId);
    for (const runId of this.ended) assert(!expected(runId)?.state.isRunning, `${runId} runs again`);
    for (const [runId, isPaused] of this.paused) {
      const state = expected(runId)?.state;
      const found = state?.record.paused !== undefined;
      assert(!state?.isRunning || found === isPaused, `${runId} is${found ? '' : ' not'} paused`);
    }
    for (const [runId, kinds] of this.imported) {
      const run = expected(runId);
      const isWhole = run === undefined || kinds.every((kind, at) => kindOf(run.events[at] ?? {}) === kind);
      assert(isWhole, `${run?.name} lacks events with which it came`);
    }
    for (const { runId, name } of this.signals) {
      const run = expected(runId);
      const times = run?.all.filter(
        (event) => factsOf(event)['signalName'] === name && isSignal(event),
      ).length;
      assert(run === undefined || times === 1, `${run?.name}: the signal ${name} is there ${times} times`);
    }
    for (const { runId, activityId } of this.completed) {
      const run = expected(runId);
      if (run === undefined) continue;
      const scheduled = run.events.find((event) => factsOf(event)['activityId'] === activityId);
      const ends = run.all.filter(
        (event) =>
          kindOf(event) === 'activityTaskCompleted' && scheduledOf(event) === toNumber(scheduled?.eventId),
      );
      assert(ends.length === 1, `${run.name}: ${activityId} was completed ${ends.length} times`);
    }
  }
}

const isSignal = (event: HistoryEvent): boolean => kindOf(event) === 'workflowExecutionSignaled';
const number = (event: HistoryEvent, field: string): number =>
  toNumber(factsOf(event)[field] as Parameters<typeof toNumber>[0]);
const scheduledOf = (event: HistoryEvent): number => number(event, 'scheduledEventId');

/** The events of a run that are written. */
export function allEvents(state: MutableState): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  for (let from: number | undefined = 1; from !== undefined;) {
    const page = state.readEvents(from, 1000);
    events.push(...page.events);
    from = page.nextEventId;
  }
  return events;
}

/** What is pending is what was begun and is not over, by the history. */
function checkPending({ name, state, all }: Run): void {
  const { activities, timers, children } = state.pending;
  const begun = (kind: string): number[] =>
    all.filter((event) => kindOf(event) === kind).map((event) => toNumber(event.eventId));
  const over = (field: string, ...kinds: string[]): Set<number> =>
    new Set(all.filter((event) => kinds.includes(kindOf(event))).map((event) => number(event, field)));
  const compare = (what: string, started: number[], ended: Set<number>, pending: number[]): void => {
    const left = state.isRunning ? started.filter((id) => !ended.has(id)) : [];
    const [wanted, found] = [left, pending].map((ids) => ids.toSorted((a, b) => a - b).join());
    assert(wanted === found, `${name}: pending ${what} are [${found}], by the history [${wanted}]`);
  };
  const activityEnds = ['Completed', 'Failed', 'TimedOut', 'Canceled'].map((end) => `activityTask${end}`);
  const ended = over('scheduledEventId', ...activityEnds);
  const ids = [...activities.values()].map(({ scheduledEventId }) => scheduledEventId);
  compare('activities', begun('activityTaskScheduled'), ended, ids);
  const fired = over('startedEventId', 'timerFired', 'timerCanceled');
  compare(
    'timers',
    begun('timerStarted'),
    fired,
    [...timers.values()].map((one) => one.startedEventId),
  );
  const childEnds = ['Completed', 'Failed', 'TimedOut', 'Canceled', 'Terminated'].map(
    (end) => `childWorkflowExecution${end}`,
  );
  const closed = over('initiatedEventId', 'startChildWorkflowExecutionFailed', ...childEnds);
  const initiated = [...children.values()].map(({ initiatedEventId }) => initiatedEventId);
  compare('children', begun('startChildWorkflowExecutionInitiated'), closed, initiated);
}

/**
 * No request and no parent has started two runs, one after the other. A request that is sent again when another one has
 * started a run under the same id may start a third: the newest run alone is looked at, as on the server.
 */
function checkStarts(runs: Iterable<Run>, unknown: ReadonlySet<string>): void {
  const newest = new Map<string, string>();
  for (const { name, state, events } of runs) {
    const { startRequestId } = state.record;
    const { workflowId } = state.ref;
    if (unknown.has(workflowId)) continue;
    const isContinued = Boolean(factsOf(events[0] ?? {})['continuedExecutionRunId']);
    assert(
      isContinued || newest.get(workflowId) !== startRequestId,
      `${name}: ${startRequestId} has started two runs`,
    );
    newest.set(workflowId, isContinued ? '' : startRequestId);
  }
}
