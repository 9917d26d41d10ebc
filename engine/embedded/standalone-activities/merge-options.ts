import type { google, temporal } from '@temporalio/proto';
import { validMs } from '../protocol/durations.ts';
import { Priority, toEncoded } from '../protocol/proto.ts';
import { checkPriority } from '../protocol/priority.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import { normaliseRetryPolicy, validateRetryPolicy } from '../runs/retry-policy.ts';
import type { ActivityOptionsRecord } from './activity.ts';
import { startDelay, validTimeouts } from './valid-start.ts';
import { optionsView } from './views.ts';

type Options = temporal.api.activity.v1.IActivityOptions;

const TIMEOUTS = [
  'scheduleToCloseTimeout',
  'scheduleToStartTimeout',
  'startToCloseTimeout',
  'heartbeatTimeout',
] as const;
const RETRY = ['initialInterval', 'backoffCoefficient', 'maximumInterval', 'maximumAttempts'] as const;
const PRIORITY = ['priorityKey', 'fairnessKey', 'fairnessWeight'] as const;

const SUPPORTED: ReadonlySet<string> = new Set([
  'taskQueue.name',
  ...TIMEOUTS,
  'priority',
  ...PRIORITY.map((field) => `priority.${field}`),
  'retryPolicy',
  ...RETRY.map((field) => `retryPolicy.${field}`),
  'startDelay',
]);

/** Checks what an update of the options says, before its activity is looked for; answers the fields that it names. */
export function validUpdate(
  options: Options | null | undefined,
  mask: google.protobuf.IFieldMask | null | undefined,
): ReadonlySet<string> {
  if (!options) throw invalidArgument('ActivityOptions are not provided');
  if (!mask) throw invalidArgument('UpdateMask is not provided');
  if (!mask.paths?.length) throw invalidArgument('UpdateMask must specify at least one path');
  const named = new Set<string>();
  for (const path of mask.paths) {
    const field = path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (!SUPPORTED.has(field)) throw invalidArgument(`unsupported update_mask path: "${path}"`);
    named.add(field);
  }
  if (named.has('taskQueue.name')) validTaskQueue(options.taskQueue);
  for (const field of TIMEOUTS) {
    const name = field.charAt(0).toUpperCase() + field.slice(1);
    if (named.has(field)) validMs(options[field], (problem) => `invalid ${name}: ${problem}`);
  }
  if (named.has('priority') || PRIORITY.some((field) => named.has(`priority.${field}`))) {
    checkPriority(options.priority);
  }
  if (named.has('retryPolicy')) validateRetryPolicy(options.retryPolicy);
  if (named.has('startDelay')) startDelay(options.startDelay);
  return named;
}

/** Makes the options that an activity has after an update. */
export function mergeOptions(
  present: ActivityOptionsRecord,
  wanted: Options,
  named: ReadonlySet<string>,
  { activityId, activityType }: { readonly activityId: string; readonly activityType: string },
): ActivityOptionsRecord {
  const next: Options = optionsView(present);
  if (named.has('taskQueue.name')) next.taskQueue = wanted.taskQueue ?? null;
  for (const field of TIMEOUTS) if (named.has(field)) next[field] = wanted[field] ?? null;
  if (named.has('retryPolicy')) next.retryPolicy = wanted.retryPolicy ?? {};
  for (const field of RETRY) {
    if (named.has(`retryPolicy.${field}`)) {
      next.retryPolicy = { ...next.retryPolicy, [field]: wanted.retryPolicy?.[field] };
    }
  }
  if (named.has('priority')) next.priority = wanted.priority ?? null;
  for (const field of PRIORITY) {
    if (named.has(`priority.${field}`))
      next.priority = { ...next.priority, [field]: wanted.priority?.[field] };
  }
  validateRetryPolicy(next.retryPolicy);
  const { priority: _, ...kept } = present;
  return {
    ...kept,
    taskQueue: next.taskQueue?.name ?? present.taskQueue,
    ...validTimeouts(next, activityId, activityType),
    retry: normaliseRetryPolicy(next.retryPolicy ?? {}),
    ...(next.priority && { priority: toEncoded(Priority, Priority.create(next.priority)) }),
    ...(named.has('startDelay') && { startDelayMs: startDelay(wanted.startDelay) }),
  };
}
