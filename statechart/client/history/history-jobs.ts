import type { HistoryActors } from './history-actors.ts';
import { numberOf, type HistoryEvent } from './history-event.ts';
import type { HistoryMessages } from './history-messages.ts';
import type { HistoryTimers } from './history-timers.ts';
import type { Microtasks, Ticks } from './microtasks.ts';

interface HistoryJobsOptions {
  readonly actors: HistoryActors;
  readonly timers: HistoryTimers;
  readonly messages: HistoryMessages;
  readonly microtasks: Microtasks;
  readonly ticks: Ticks;
  /** The workflow is asked to end. */
  readonly cancel: (eventId: number) => void;
  /** An update is in the mailbox. */
  readonly updated: () => void;
  /** A signal to another workflow has arrived, or its target was gone; the event is that of the command. */
  readonly signalled: (initiated: number) => void;
}

/** Hands each event that comes in to what it is for, as an activation's jobs do in a workflow. */
export class HistoryJobs {
  readonly #options: HistoryJobsOptions;

  constructor(options: HistoryJobsOptions) {
    this.#options = options;
  }

  take(event: HistoryEvent): void {
    const { actors, timers, messages, microtasks, ticks, cancel, updated, signalled } = this.#options;
    const { type, attributes } = event;
    switch (type) {
      case 'WorkflowExecutionSignaled':
        messages.signal(event);
        break;
      case 'WorkflowExecutionUpdateAccepted':
        messages.update(event);
        updated();
        break;
      case 'WorkflowExecutionCancelRequested':
        microtasks.after(ticks.cancel, () => cancel(event.id));
        break;
      case 'TimerFired':
        microtasks.after(ticks.timer, () => timers.fire(numberOf(attributes['startedEventId']), event.id));
        break;
      case 'ActivityTaskCompleted':
      case 'ActivityTaskFailed':
      case 'ActivityTaskTimedOut':
      case 'ActivityTaskCanceled':
        actors.activityEnded(event, numberOf(attributes['scheduledEventId']));
        break;
      case 'ChildWorkflowExecutionStarted':
        actors.childStarted(numberOf(attributes['initiatedEventId']));
        break;
      case 'StartChildWorkflowExecutionFailed':
      case 'ChildWorkflowExecutionCompleted':
      case 'ChildWorkflowExecutionFailed':
      case 'ChildWorkflowExecutionCanceled':
      case 'ChildWorkflowExecutionTerminated':
      case 'ChildWorkflowExecutionTimedOut':
        actors.childEnded(event, numberOf(attributes['initiatedEventId']));
        break;
      case 'MarkerRecorded':
        actors.localActivityEnded(event);
        break;
      case 'ExternalWorkflowExecutionSignaled':
      case 'SignalExternalWorkflowExecutionFailed':
        signalled(numberOf(attributes['initiatedEventId']));
        break;
    }
  }
}
