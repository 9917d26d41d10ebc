import type { temporal } from '@temporalio/proto';
import { newTimeOrderedId } from '../primitives/ids.ts';
import {
  failedPrecondition,
  invalidArgument,
  notFound,
  queryFailed,
  scheduleExists,
} from '../protocol/rpc-error.ts';
import { LONGEST_ID, bytesOf, checkRequestId } from '../protocol/id-length.ts';
import { long, timestamp, timestampMs } from '../protocol/values.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import type { StartValidation } from '../runs/start-request.ts';
import { matchingTimes } from '../schedules/due-times.ts';
import {
  type Schedule,
  type ScheduleState,
  SCHEDULE_LIMITS,
  WORKFLOW_ID_PREFIX,
} from '../schedules/schedule.ts';
import { SCHEDULE_SCOPE } from '../schedules/schedule-visibility.ts';
import { validAttributes, validMemo, validSchedule } from '../schedules/validate.ts';
import { conflictToken, describeSchedule, listInfo } from '../schedules/views.ts';
import type { HandlerServices } from './handler-services.ts';

type CreateRequest = temporal.api.workflowservice.v1.ICreateScheduleRequest;
type UpdateRequest = temporal.api.workflowservice.v1.IUpdateScheduleRequest;
type PatchRequest = temporal.api.workflowservice.v1.IPatchScheduleRequest;

interface ScheduleServices
  extends
    Omit<StartValidation, 'runs'>,
    Pick<HandlerServices, 'schedules' | 'visibility' | 'runs' | 'group'> {
  readonly limits: HandlerServices['limits'];
}

/** The methods of schedules. */
export function scheduleHandlers(services: ScheduleServices): WorkflowHandlers {
  const { schedules, namespaces, visibility, group } = services;
  const find = (request: { namespace?: string | null; scheduleId?: string | null }): Schedule => {
    const { name } = namespaces.get(request.namespace ?? '');
    const schedule = schedules.find(name, request.scheduleId ?? '');
    // The server's schedules are workflows, and its texts show it.
    if (!schedule)
      throw notFound(`workflow not found for ID: ${WORKFLOW_ID_PREFIX}${request.scheduleId ?? ''}`);
    return schedule;
  };
  return {
    CreateSchedule: (request) => createSchedule(services, request),
    DescribeSchedule: (request) => {
      const schedule = find(request);
      return describeSchedule(schedules.timed(schedule), shownAttributes(services, schedule));
    },
    UpdateSchedule: (request) => {
      const next = validUpdate(services, request);
      const schedule = find(request);
      if (request.memo) {
        throw failedPrecondition('memo updates are not supported on workflow-backed schedules');
      }
      if (isRepeated(schedule, request.requestId) || !isCurrent(schedule, request.conflictToken)) return {};
      const { memo, searchAttributes } = schedule.definition;
      schedules.run(
        schedule.key,
        {
          update: {
            definition: { memo, searchAttributes, ...next },
            state: request.schedule?.state ?? null,
          },
        },
        (draft) => remember(draft.state, request.requestId),
      );
      return {};
    },
    PatchSchedule: (request) => {
      validatePatch(request);
      const schedule = find(request);
      if (isRepeated(schedule, request.requestId)) return {};
      schedules.run(schedule.key, { patch: request.patch ?? null }, (draft) => {
        remember(draft.state, request.requestId);
      });
      return {};
    },
    DeleteSchedule: (request) => {
      schedules.delete(find(request));
      return {};
    },
    ListScheduleMatchingTimes: (request) => {
      const schedule = find(request);
      const after = timestampMs(request.startTime);
      const until = timestampMs(request.endTime);
      if (after === undefined || until === undefined) {
        const message = 'missing or invalid query';
        throw queryFailed(message, { message, source: 'GoSDK', applicationFailureInfo: {} });
      }
      return { startTime: matchingTimes(schedules.timed(schedule), { after, until }).map(timestamp) };
    },
    ListSchedules: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      group.flush();
      const { executions, nextPageToken } = visibility.list({
        namespace,
        query: request.query ?? '',
        pageSize: request.maximumPageSize ?? 0,
        nextPageToken: request.nextPageToken ?? new Uint8Array(),
        scope: SCHEDULE_SCOPE,
      });
      const ids = executions.map(({ execution }) => execution?.workflowId?.slice(WORKFLOW_ID_PREFIX.length));
      const found = ids.flatMap((id) => schedules.find(namespace, id ?? '') ?? []);
      return {
        schedules: found.map((schedule) => ({
          scheduleId: schedule.ref.scheduleId,
          memo: schedule.definition.memo ?? {},
          searchAttributes: shownAttributes(services, schedule),
          info: listInfo(schedules.timed(schedule)),
        })),
        nextPageToken,
      };
    },
    CountSchedules: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      group.flush();
      const { count } = visibility.count({ namespace, query: request.query ?? '', scope: SCHEDULE_SCOPE });
      return { count: long(count) };
    },
  };
}

function createSchedule(
  services: ScheduleServices,
  request: CreateRequest,
): temporal.api.workflowservice.v1.ICreateScheduleResponse {
  const { namespaces, schedules, runs } = services;
  if (!request.namespace) throw invalidArgument('Namespace is empty.');
  const { name: namespace } = namespaces.get(request.namespace);
  const scheduleId = request.scheduleId ?? '';
  if (scheduleId === '') throw invalidArgument("Can't load workflow execution.  WorkflowId not set.");
  const length = bytesOf(`${WORKFLOW_ID_PREFIX}${scheduleId}`);
  if (length > LONGEST_ID) {
    throw invalidArgument(`WorkflowId exceeds maximum allowed length (${length}/${LONGEST_ID})`);
  }
  const requestId = request.requestId ?? '';
  if (requestId === '') throw invalidArgument('RequestId is not set on request.');
  checkRequestId(requestId);
  const definition = {
    ...validSchedule(services, namespace, request.schedule),
    memo: validMemo(services, request.memo),
    searchAttributes: validAttributes(services, namespace, request.searchAttributes),
  };
  const existing = schedules.find(namespace, scheduleId);
  if (existing) {
    if (existing.state.createRequestId !== requestId) throw scheduleExists(scheduleId);
    return { conflictToken: conflictToken({ state: newState(request, existing.state.createTime) }) };
  }
  const now = runs.now();
  const state = newState(request, now);
  const token = conflictToken({ state });
  schedules.create(
    { ref: { namespace, scheduleId, runId: newTimeOrderedId(now) }, definition, state },
    { patch: request.initialPatch ?? null },
  );
  return { conflictToken: token };
}

function newState({ requestId, schedule }: CreateRequest, now: number): ScheduleState {
  const given = schedule?.state;
  return {
    createRequestId: requestId ?? '',
    requestIds: [],
    conflictToken: 1,
    paused: given?.paused ?? false,
    notes: given?.notes ?? '',
    limitedActions: given?.limitedActions ?? false,
    remainingActions: Number(given?.remainingActions ?? 0),
    createTime: now,
    lastProcessed: now,
    actionCount: 0,
    missedCatchupWindow: 0,
    overlapSkipped: 0,
    bufferDropped: 0,
    running: [],
    recent: [],
    buffered: [],
    backfills: [],
  };
}

/** Checks an update, and answers what it changes of the definition. Attributes that are not given stay. */
function validUpdate(
  services: ScheduleServices,
  request: UpdateRequest,
): ReturnType<typeof validSchedule> & { searchAttributes?: ReturnType<typeof validAttributes> } {
  checkRequestId(request.requestId);
  const { name: namespace } = services.namespaces.get(request.namespace ?? '');
  const definition = validSchedule(services, namespace, request.schedule);
  const given = request.searchAttributes;
  const searchAttributes = given ? validAttributes(services, namespace, given) : undefined;
  if (!request.schedule?.action?.startWorkflow) {
    throw invalidArgument('Only StartWorkflow action is supported for schedules');
  }
  return { ...definition, ...(searchAttributes && { searchAttributes }) };
}

function validatePatch({ patch, requestId }: PatchRequest): void {
  if (!patch) throw invalidArgument('Patch is not set on request.');
  checkRequestId(requestId);
  const { notesLength } = SCHEDULE_LIMITS;
  if (Math.max((patch.pause ?? '').length, (patch.unpause ?? '').length) > notesLength) {
    throw invalidArgument('Schedule notes exceeds limit.');
  }
}

function isRepeated({ state }: Schedule, requestId: string | null | undefined): boolean {
  return !!requestId && state.requestIds.includes(requestId);
}

function remember(state: ScheduleState, requestId: string | null | undefined): void {
  if (requestId)
    state.requestIds = [...state.requestIds, requestId].slice(-SCHEDULE_LIMITS.rememberedRequests);
}

/** Whether an update knows the schedule as it is. The server passes over others without a word. */
function isCurrent({ state }: Schedule, token: Uint8Array | null | undefined): boolean {
  if (!token || token.length < 8) return true;
  const seen = Buffer.from(token).readBigUInt64BE();
  return seen === 0n || seen === BigInt(state.conflictToken);
}

/** Answers the schedule's attributes, apart from those whose name the namespace no longer has. */
function shownAttributes(
  { searchAttributes }: StartValidation,
  { ref, definition }: Schedule,
): temporal.api.common.v1.ISearchAttributes | null {
  const fields = Object.entries(definition.searchAttributes).filter(([name]) =>
    searchAttributes.settable(ref.namespace, name),
  );
  return fields.length > 0 ? { indexedFields: Object.fromEntries(fields) } : null;
}
