import type { temporal } from '@temporalio/proto';
import type { Clock } from '../primitives/clock.ts';
import { TaskQueue } from './task-queue.ts';

/** What a worker that polls gets. */
export type WorkflowTaskResponse = temporal.api.workflowservice.v1.IPollWorkflowTaskQueueResponse;
export type ActivityTaskResponse = temporal.api.workflowservice.v1.IPollActivityTaskQueueResponse;

/** All task queues, which are made when first used. They are not stored: a restart fills them again from the runs. */
export class Matching {
  readonly #now: Clock;
  readonly #workflow = new Map<string, TaskQueue<WorkflowTaskResponse>>();
  readonly #activity = new Map<string, TaskQueue<ActivityTaskResponse>>();

  constructor(now: Clock) {
    this.#now = now;
  }

  workflowQueue(namespace: string, name: string): TaskQueue<WorkflowTaskResponse> {
    return this.#queue(this.#workflow, namespace, name);
  }

  activityQueue(namespace: string, name: string): TaskQueue<ActivityTaskResponse> {
    return this.#queue(this.#activity, namespace, name);
  }

  /** Whether a worker serves this sticky queue. Asking does not make the queue. */
  isStickyServed(namespace: string, name: string): boolean {
    return this.#workflow.get(`${namespace}\n${name}`)?.isServed ?? false;
  }

  /** Ends a sticky queue whose worker leaves: the tasks that wait there go to the normal queues of their runs. */
  shutDownSticky(namespace: string, name: string): void {
    const tasks = this.#workflow.get(`${namespace}\n${name}`)?.shutDown() ?? [];
    for (const task of tasks) task.reroute?.();
  }

  /** Ends the polls of one worker on a queue. */
  releasePollers(namespace: string, name: string, identity: string): void {
    this.#workflow.get(`${namespace}\n${name}`)?.releasePollers(identity);
    this.#activity.get(`${namespace}\n${name}`)?.releasePollers(identity);
  }

  /** Removes every waiting task, before all are added again from the database. */
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
