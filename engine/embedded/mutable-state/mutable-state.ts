import {
  type EventAttributes,
  type EventBatch,
  type EventExtras,
  type HistoryEvent,
  CHILD_STARTED_REFERENCE,
  STARTED_REFERENCE,
  eventTypeOf,
} from '../history/events.ts';
import {
  EventType,
  HistoryEvent as HistoryEventType,
  WorkflowExecutionStatus,
  fromEncoded,
  toEncoded,
} from '../protocol/proto.ts';
import { long, timestamp, toNumber, withoutZeroValues } from '../protocol/values.ts';
import type { HistoryPage, HistoryStore } from '../history/history-store.ts';
import type { Clock } from '../primitives/clock.ts';
import { newId } from '../primitives/ids.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { scheduledAttributes, startedAttributes } from './workflow-task-events.ts';
import type { PendingItems } from './pending-items.ts';
import type { RunRecord } from './record.ts';
import { joinsCommit, type Task } from './tasks.ts';

/** What a run in memory needs from the engine around it. */
export interface RunEnvironment {
  readonly now: Clock;
  readonly history: Pick<HistoryStore, 'event' | 'read' | 'isLastOfBatch'>;
  /** Is new each time the engine starts. */
  readonly life: string;
  /** Numbers events across all runs, so that they can be ordered. */
  nextTaskId(): number;
  joinCommit(step: () => void): void;
  afterCommit(effect: () => void): void;
  perform(ref: RunRef, task: Task): void;
}

/** One run in memory: its record, and the events that the current transaction adds. */
export class MutableState {
  readonly ref: RunRef;
  /** Primary key of the run's row. */
  readonly key: number;
  readonly record: RunRecord;
  readonly pending: PendingItems;
  /** Whether the current transaction changed something that ListWorkflowExecutions shows. */
  visibilityChanged = false;
  readonly #environment: RunEnvironment;
  #newEvents: HistoryEvent[] = [];

  constructor(
    ref: RunRef,
    key: number,
    record: RunRecord,
    pending: PendingItems,
    environment: RunEnvironment,
  ) {
    this.ref = ref;
    this.key = key;
    this.record = record;
    this.pending = pending;
    this.#environment = environment;
  }

  get isRunning(): boolean {
    return this.record.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  /** The status that callers are told, which says of an open run whether it is paused. */
  get shownStatus(): number {
    const isPaused = this.isRunning && this.record.paused !== undefined;
    return isPaused ? WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_PAUSED : this.record.status;
  }

  /** Whether a worker is working on the workflow task, so that new events must wait for its answer. */
  get hasStartedWorkflowTask(): boolean {
    return this.record.workflowTask?.startedEventId !== undefined;
  }

  get hasBufferedEvents(): boolean {
    return this.record.buffered.length > 0;
  }

  now(): number {
    return this.#environment.now();
  }

  /** Makes the fence of a workflow task that a worker gets. It is worth nothing once the engine has started again. */
  newFence(): string {
    return `${this.#environment.life}/${newId()}`;
  }

  /** Whether the token of a worker with this fence means the workflow task that the run has now. */
  holdsTask(fence: string): boolean {
    const task = this.record.workflowTask;
    // After a restart the file says for a while that the worker has the task: until the recovery is committed.
    return task?.handedOut === true && task.fence === fence && fence.startsWith(`${this.#environment.life}/`);
  }

  /** Reads one event of the run; throws when there is none, which would be corruption. */
  event(eventId: number): HistoryEvent {
    return this.#environment.history.event(this.key, eventId);
  }

  readEvents(firstEventId: number, maxEvents: number): HistoryPage {
    return this.#environment.history.read(this.key, firstEventId, maxEvents);
  }

  /** Whether a transaction ended with this event, so that the run was once in the state after it. */
  isBoundary(eventId: number): boolean {
    return this.#environment.history.isLastOfBatch(this.key, eventId);
  }

  /** Has a task performed, in the commit of the current transaction or after it (`tasks.ts`). */
  addTask(task: Task): void {
    const perform = (): void => this.#environment.perform(this.ref, task);
    if (joinsCommit(task)) this.#environment.joinCommit(perform);
    else this.afterCommit(perform);
  }

  /** Calls `effect` once the current transaction is committed. */
  afterCommit(effect: () => void): void {
    this.#environment.afterCommit(effect);
  }

  /** Writes an event now, whatever the workflow task is doing: task events, commands' events, closing events. */
  append(attributes: EventAttributes, extras: EventExtras = {}): HistoryEvent {
    const event = this.#makeEvent(attributes, extras);
    this.#assignId(event);
    return event;
  }

  /**
   * Writes an event that happened to the run from outside (a signal, a timer, an activity's result ...). While a worker
   * has the workflow task the event is buffered, so that the worker's answer applies to the history that the worker
   * saw.
   */
  receive(attributes: EventAttributes, extras: EventExtras = {}): HistoryEvent {
    if (this.record.workflowTask?.kind === 'speculative') this.writeTaskEvents();
    if (!this.hasStartedWorkflowTask) return this.append(attributes, extras);
    const event = this.#makeEvent(attributes, extras);
    this.#noteAttached(event, 0);
    this.record.buffered.push(toEncoded(HistoryEventType, event));
    return event;
  }

  /**
   * Writes the events of a transient or speculative task into history, under the ids that its worker was shown. `identity` is of
   * whoever ends the task: the event of its start names that one, or none.
   */
  writeTaskEvents(identity = ''): void {
    const task = this.record.workflowTask;
    if (!task || task.kind === 'normal') return;
    const { taskQueue, nextEventId } = this.record;
    if (nextEventId !== task.scheduledEventId) {
      throw new Error(
        `event ${task.scheduledEventId} was promised to a workflow task but ${nextEventId} is next`,
      );
    }
    task.kind = 'normal';
    const scheduled = this.append({
      workflowTaskScheduledEventAttributes: scheduledAttributes(taskQueue, task),
    });
    scheduled.eventTime = timestamp(task.scheduledTime);
    if (task.startedEventId === undefined) return;
    const started = this.append({
      workflowTaskStartedEventAttributes: startedAttributes({ ...task, identity }),
    });
    started.eventTime = timestamp(task.startedTime ?? task.scheduledTime);
  }

  /**
   * Moves the buffered events into history. Results of activities and children go last, because their started events
   * may be among the others, and their references to those are filled in.
   */
  flushBuffered(): HistoryEvent[] {
    const events = this.record.buffered.map((encoded) => fromEncoded(HistoryEventType, encoded));
    this.record.buffered = [];
    const isResult = (event: HistoryEvent): boolean =>
      (event.eventType ?? 0) in STARTED_REFERENCE || (event.eventType ?? 0) in CHILD_STARTED_REFERENCE;
    const ordered = [...events.filter((event) => !isResult(event)), ...events.filter(isResult)];
    const started = new Map<number, number>();
    const childStarted = new Map<number, number>();
    for (const event of ordered) {
      this.#assignId(event);
      const id = toNumber(event.eventId);
      const activity = event.activityTaskStartedEventAttributes;
      if (activity) started.set(toNumber(activity.scheduledEventId), id);
      const child = event.childWorkflowExecutionStartedEventAttributes;
      if (child) {
        childStarted.set(toNumber(child.initiatedEventId), id);
        const pending = this.pending.children.edit(toNumber(child.initiatedEventId));
        if (pending) pending.startedEventId = id;
      }
      setStartedEventId(event, started, childStarted);
    }
    return ordered;
  }

  /**
   * Removes the buffered event of a timer that fired while a worker had the task and is canceled by the worker's
   * answer: its workflow has not seen it fire, so it never did. Answers the id of the timer's started event.
   */
  takeBufferedTimer(timerId: string): number | undefined {
    for (const [index, encoded] of this.record.buffered.entries()) {
      const fired = fromEncoded(HistoryEventType, encoded).timerFiredEventAttributes;
      if (fired?.timerId !== timerId) continue;
      this.record.buffered.splice(index, 1);
      return toNumber(fired.startedEventId);
    }
    return undefined;
  }

  /** The events of the current transaction, which `readEvents` does not find yet. */
  get unsavedEvents(): readonly HistoryEvent[] {
    return this.#newEvents;
  }

  /** Takes the new events out as a batch; undefined when there are none. */
  takeBatch(): EventBatch | undefined {
    const events = this.#newEvents;
    this.#newEvents = [];
    const first = events[0];
    if (!first) return undefined;
    const firstEventId = toNumber(first.eventId);
    return { firstEventId, lastEventId: firstEventId + events.length - 1, events };
  }

  #makeEvent(attributes: EventAttributes, extras: EventExtras): HistoryEvent {
    const { field, eventType } = eventTypeOf(attributes);
    const event: HistoryEvent = {
      eventTime: timestamp(this.now()),
      eventType,
      [field]: withoutZeroValues(attributes[field] ?? {}),
    };
    if (extras.userMetadata) event.userMetadata = extras.userMetadata;
    if (extras.eventGroupMarkers?.length) event.eventGroupMarkers = extras.eventGroupMarkers;
    if (extras.links?.length) event.links = extras.links;
    if (extras.workerMayIgnore) event.workerMayIgnore = true;
    return event;
  }

  #assignId(event: HistoryEvent): void {
    event.eventId = long(this.record.nextEventId++);
    event.taskId = long(this.#environment.nextTaskId());
    this.#newEvents.push(event);
    this.#noteAttached(event, toNumber(event.eventId));
  }

  #noteAttached(event: HistoryEvent, eventId: number): void {
    const requestId = event.workflowExecutionOptionsUpdatedEventAttributes?.attachedRequestId;
    if (requestId) this.record.attachedRequests = { ...this.record.attachedRequests, [requestId]: eventId };
  }
}

function setStartedEventId(
  event: HistoryEvent,
  started: ReadonlyMap<number, number>,
  childStarted: ReadonlyMap<number, number>,
): void {
  const type = event.eventType ?? EventType.EVENT_TYPE_UNSPECIFIED;
  const activityField = STARTED_REFERENCE[type as keyof typeof STARTED_REFERENCE];
  if (activityField) {
    const result = event[activityField];
    const id = started.get(toNumber(result?.scheduledEventId));
    if (result && id !== undefined) result.startedEventId = long(id);
    return;
  }
  const childField = CHILD_STARTED_REFERENCE[type as keyof typeof CHILD_STARTED_REFERENCE];
  const result = childField && event[childField];
  const id = childStarted.get(toNumber(result?.initiatedEventId));
  if (result && id !== undefined) result.startedEventId = long(id);
}
