import type { temporal } from '@temporalio/proto';
import { resolveActivityTimeouts } from '../activity-tasks/options.ts';
import { checkActivity, timeoutMs } from '../activity-tasks/validate.ts';
import { sizeOfPayloads } from '../commands/payload-size.ts';
import { newId } from '../primitives/ids.ts';
import type { Limits } from '../primitives/limits.ts';
import { validMs } from '../protocol/durations.ts';
import { LONGEST_ID, bytesOf, isTooLong } from '../protocol/id-length.ts';
import { checkLinks } from '../protocol/links.ts';
import {
  ActivityIdConflictPolicy,
  ActivityIdReusePolicy,
  Payload,
  Priority,
  toEncoded,
} from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import { normaliseRetryPolicy } from '../runs/retry-policy.ts';
import {
  type SearchAttributeRegistry,
  mergeSearchAttributes,
} from '../visibility/search-attribute-registry.ts';
import type { ActivityOptionsRecord } from './activity.ts';
import type { ActivityRequest } from './activity-store.ts';

export type StartRequest = temporal.api.workflowservice.v1.IStartActivityExecutionRequest;

/** What validating a start takes. */
export interface StartValidation {
  readonly searchAttributes: SearchAttributeRegistry;
  readonly limits: Pick<Limits, 'blobBytes'>;
}

/** A start that was checked. */
export interface ValidStart {
  readonly activityId: string;
  readonly activityType: string;
  readonly requestId: string;
  readonly options: ActivityOptionsRecord;
  readonly request: ActivityRequest;
  readonly links: readonly temporal.api.common.v1.ILink[];
  readonly reusePolicy: temporal.api.enums.v1.ActivityIdReusePolicy;
  readonly conflictPolicy: temporal.api.enums.v1.ActivityIdConflictPolicy;
  /** Whether the links go to the open activity that is used instead. */
  readonly attachesLinks: boolean;
}

/** The sizes of what the metadata may hold, in bytes. */
const LARGEST = { summary: 400, details: 20_000 } as const;

/** Checks a start request as the server does, in its order and words, and fills in defaults. */
export function validStart(services: StartValidation, namespace: string, request: StartRequest): ValidStart {
  const startDelayMs = startDelay(request.startDelay);
  const taskQueue = validTaskQueue(request.taskQueue);
  const activityId = request.activityId ?? '';
  const activityType = request.activityType?.name ?? '';
  checkActivity({ activityId, activityType, retryPolicy: request.retryPolicy, priority: request.priority });
  const timeouts = validTimeouts(request, activityId, activityType);
  checkLength('request ID', request.requestId);
  checkLength('identity', request.identity);
  if (sizeOfPayloads(request.input) > services.limits.blobBytes) {
    throw invalidArgument('input exceeds length limit');
  }
  checkMetadata(request.userMetadata);
  const searchAttributes = validSearchAttributes(services, namespace, request);
  if (request.completionCallbacks?.length) {
    throw invalidArgument('completion callbacks are not enabled for this namespace');
  }
  checkLinks(request.links);
  checkOnConflict(request);
  const { input, header, userMetadata } = request;
  return {
    activityId,
    activityType,
    requestId: request.requestId || newId(),
    options: {
      taskQueue,
      ...timeouts,
      startDelayMs,
      retry: normaliseRetryPolicy(request.retryPolicy ?? {}),
      ...(request.priority && { priority: toEncoded(Priority, Priority.create(request.priority)) }),
    },
    request: {
      input: input ?? null,
      header: header ?? null,
      userMetadata: userMetadata ?? null,
      searchAttributes,
    },
    links: request.links ?? [],
    ...policies(request),
    attachesLinks: request.onConflictOptions?.attachLinks ?? false,
  };
}

/** Answers a start delay in ms, null where none is given; throws for one that cannot be used. */
export function startDelay(given: StartRequest['startDelay']): number | null {
  return given == null ? null : validMs(given, (problem) => `invalid StartDelay: ${problem}`);
}

/** Checks the timeouts, and derives those that are missing. */
export function validTimeouts(
  given: Parameters<typeof timeoutMs>[0],
  activityId: string,
  activityType: string,
): NonNullable<ReturnType<typeof resolveActivityTimeouts>> {
  const timeouts = resolveActivityTimeouts(0, {
    scheduleToCloseMs: timeoutMs(given, 'scheduleToCloseTimeout'),
    scheduleToStartMs: timeoutMs(given, 'scheduleToStartTimeout'),
    startToCloseMs: timeoutMs(given, 'startToCloseTimeout'),
    heartbeatMs: timeoutMs(given, 'heartbeatTimeout'),
  });
  if (timeouts) return timeouts;
  throw invalidArgument(
    `a valid StartToCloseTimeout or ScheduleToCloseTimeout must be set on the activity. ActivityId=${activityId} ActivityType=${activityType}`,
  );
}

/** Checks the length of a field as requests about activities are told of it. */
export function checkLength(name: string, value: string | null | undefined): void {
  if (!isTooLong(value)) return;
  throw invalidArgument(`${name} exceeds length limit. Length=${bytesOf(value ?? '')} Limit=${LONGEST_ID}`);
}

function checkMetadata(metadata: StartRequest['userMetadata']): void {
  for (const [field, limit] of Object.entries(LARGEST)) {
    const payload = metadata?.[field as keyof typeof LARGEST];
    const size = payload ? Payload.encode(payload).finish().length : 0;
    if (size > limit) {
      throw invalidArgument(`user_metadata.${field} exceeds size limit. Length=${size} Limit=${limit}`);
    }
  }
}

function validSearchAttributes(
  { searchAttributes }: StartValidation,
  namespace: string,
  request: StartRequest,
): temporal.api.common.v1.ISearchAttributes {
  const fields = request.searchAttributes?.indexedFields ?? {};
  searchAttributes.validate(namespace, fields);
  const indexedFields = mergeSearchAttributes({}, fields);
  return Object.keys(indexedFields).length > 0 ? { indexedFields } : {};
}

function checkOnConflict({ onConflictOptions: options, completionCallbacks, links }: StartRequest): void {
  if (options?.attachCompletionCallbacks && !options.attachRequestId) {
    throw invalidArgument(
      'on_conflict_options: attach_completion_callbacks requires attach_request_id to be set',
    );
  }
  if (options?.attachRequestId && !completionCallbacks?.length && !links?.length) {
    throw invalidArgument(
      'on_conflict_options: attach_request_id requires at least one completion callback or link',
    );
  }
}

function policies(request: StartRequest): Pick<ValidStart, 'reusePolicy' | 'conflictPolicy'> {
  const reusePolicy = request.idReusePolicy || ActivityIdReusePolicy.ACTIVITY_ID_REUSE_POLICY_ALLOW_DUPLICATE;
  const conflictPolicy =
    request.idConflictPolicy || ActivityIdConflictPolicy.ACTIVITY_ID_CONFLICT_POLICY_FAIL;
  if (!(reusePolicy in ActivityIdReusePolicy)) {
    throw invalidArgument(`unsupported ID reuse policy: ${reusePolicy}`);
  }
  if (!(conflictPolicy in ActivityIdConflictPolicy)) {
    throw invalidArgument(`unsupported ID conflict policy: ${conflictPolicy}`);
  }
  return { reusePolicy, conflictPolicy };
}
