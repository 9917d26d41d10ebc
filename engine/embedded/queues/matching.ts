import type { temporal } from '@temporalio/proto';
import type { Clock } from '../primitives/clock.ts';
import type { VersionRef } from '../primitives/version-ref.ts';
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

  /** The tasks of a queue for workers of one version; undefined for those without a version. */
  workflowQueue(namespace: string, name: string, version?: VersionRef): TaskQueue<WorkflowTaskResponse> {
    return this.#queue(this.#workflow, namespace, name, version);
  }

  activityQueue(namespace: string, name: string, version?: VersionRef): TaskQueue<ActivityTaskResponse> {
    return this.#queue(this.#activity, namespace, name, version);
  }

  /** The queues of a name, of the versions that have polled it lately and of workers without one. */
  workflowQueues(namespace: string, name: string): TaskQueue<WorkflowTaskResponse>[] {
    return queuesOf(this.#workflow, namespace, name);
  }

  activityQueues(namespace: string, name: string): TaskQueue<ActivityTaskResponse>[] {
    return queuesOf(this.#activity, namespace, name);
  }

  /** Sends the waiting tasks of a queue to the versions that get them now. */
  reroute(namespace: string, name: string): void {
    const tasks = [
      ...this.workflowQueues(namespace, name).flatMap((queue) => queue.dropTasks()),
      ...this.activityQueues(namespace, name).flatMap((queue) => queue.dropTasks()),
    ];
    for (const task of tasks) task.reroute?.();
  }

  /** Whether a worker serves this sticky queue. Asking does not make the queue. */
  isStickyServed(namespace: string, name: string): boolean {
    return this.#workflow.get(keyOf(namespace, name))?.isServed ?? false;
  }

  /** Ends a sticky queue whose worker leaves: the tasks that wait there go to the normal queues of their runs. */
  shutDownSticky(namespace: string, name: string): void {
    const tasks = this.#workflow.get(keyOf(namespace, name))?.shutDown() ?? [];
    for (const task of tasks) task.reroute?.();
  }

  /** Ends the polls of one worker on a queue. */
  releasePollers(namespace: string, name: string, identity: string): void {
    const queues = [...this.workflowQueues(namespace, name), ...this.activityQueues(namespace, name)];
    for (const queue of queues) queue.releasePollers(identity);
  }

  /** Removes every waiting task, before all are added again from the database. */
  clearTasks(): void {
    for (const queue of this.#workflow.values()) queue.dropTasks();
    for (const queue of this.#activity.values()) queue.dropTasks();
  }

  #queue<R>(
    queues: Map<string, TaskQueue<R>>,
    namespace: string,
    name: string,
    version: VersionRef | undefined,
  ): TaskQueue<R> {
    const key = keyOf(namespace, name, version);
    let queue = queues.get(key);
    if (!queue) {
      for (const [idleKey, idle] of queues) if (idle.isIdle) queues.delete(idleKey);
      queue = new TaskQueue<R>(name, this.#now, version);
      queues.set(key, queue);
    }
    return queue;
  }
}

function keyOf(namespace: string, name: string, version?: VersionRef): string {
  const queue = `${namespace}\n${name}`;
  return version === undefined ? queue : `${queue}\n${version.deployment}\n${version.buildId}`;
}

function queuesOf<R>(
  queues: ReadonlyMap<string, TaskQueue<R>>,
  namespace: string,
  name: string,
): TaskQueue<R>[] {
  const key = keyOf(namespace, name);
  return [...queues].flatMap(([each, queue]) => (each === key || each.startsWith(`${key}\n`) ? [queue] : []));
}
