import type { temporal } from '@temporalio/proto';
import type { Clock } from '../types.ts';
import { type QueuedTask, TaskQueue } from './task-queue.ts';

type WorkflowTaskPoll = temporal.api.workflowservice.v1.IPollWorkflowTaskQueueResponse;
type ActivityTaskPoll = temporal.api.workflowservice.v1.IPollActivityTaskQueueResponse;

/** All task queues, made when first used. Nothing here is stored: a restart fills them again from the runs. */
export class Matching {
  readonly #now: Clock;
  readonly #workflow = new Map<string, TaskQueue<WorkflowTaskPoll>>();
  readonly #activity = new Map<string, TaskQueue<ActivityTaskPoll>>();

  constructor(now: Clock) {
    this.#now = now;
  }

  workflowQueue(namespace: string, name: string): TaskQueue<WorkflowTaskPoll> {
    return this.#queue(this.#workflow, namespace, name);
  }

  activityQueue(namespace: string, name: string): TaskQueue<ActivityTaskPoll> {
    return this.#queue(this.#activity, namespace, name);
  }

  /** Whether a worker serves this sticky queue; asking does not make the queue. */
  isStickyServed(namespace: string, name: string): boolean {
    return this.#workflow.get(`${namespace}\n${name}`)?.isServed ?? false;
  }

  /** Ends a sticky queue and answers the tasks that no worker took from it. */
  shutDownSticky(namespace: string, name: string): QueuedTask<WorkflowTaskPoll>[] {
    return this.#workflow.get(`${namespace}\n${name}`)?.shutDown() ?? [];
  }

  /** Ends the polls of one worker on a queue. */
  releasePollers(namespace: string, name: string, identity: string): void {
    this.#workflow.get(`${namespace}\n${name}`)?.releasePollers(identity);
    this.#activity.get(`${namespace}\n${name}`)?.releasePollers(identity);
  }

  /** Drops every waiting task, before all are added again from the database. */
  clearTasks(): void {
    for (const queue of this.#workflow.values()) queue.dropTasks();
    for (const queue of this.#activity.values()) queue.dropTasks();
  }

  #queue<R>(queues: Map<string, TaskQueue<R>>, namespace: string, name: string): TaskQueue<R> {
    const key = `${namespace}\n${name}`;
    let queue = queues.get(key);
    if (!queue) {
      for (const [idleKey, idle] of queues) if (idle.isIdle) queues.delete(idleKey);
      queue = new TaskQueue<R>(name, this.#now);
      queues.set(key, queue);
    }
    return queue;
  }
}
