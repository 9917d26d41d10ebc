import type { temporal } from '@temporalio/proto';
import { isTooLong } from './id-length.ts';
import { invalidArgument } from './rpc-error.ts';

/** Answers the name of a request's task queue, or `inherited` where it names none. */
export function validTaskQueue(
  queue: temporal.api.taskqueue.v1.ITaskQueue | null | undefined,
  inherited = '',
): string {
  if (!queue) throw invalidArgument('taskQueue is not set');
  const name = queue.name || inherited;
  if (name === '') throw invalidArgument('missing task queue name');
  if (isTooLong(name)) throw invalidArgument('taskQueue length exceeds limit');
  if (name.startsWith('/_sys/')) {
    throw invalidArgument('task queue name cannot start with reserved prefix /_sys/');
  }
  return name;
}
