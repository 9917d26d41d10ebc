import type { temporal } from '@temporalio/proto';
import { randomInt } from 'node:crypto';
import { validMs } from '../protocol/durations.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import type { ActivityState, StandaloneActivity } from '../standalone-activities/activity.ts';
import { pause, reset, unpause, updateOptions } from '../standalone-activities/control.ts';
import { mergeOptions, validUpdate } from '../standalone-activities/merge-options.ts';
import { optionsView } from '../standalone-activities/views.ts';
import { type StandaloneServices, checkName, findActivity, validOrder } from './standalone-activities.ts';

type PauseRequest = temporal.api.workflowservice.v1.IPauseActivityExecutionRequest;
type UnpauseRequest = temporal.api.workflowservice.v1.IUnpauseActivityExecutionRequest;
type ResetRequest = temporal.api.workflowservice.v1.IResetActivityExecutionRequest;
type UpdateRequest = temporal.api.workflowservice.v1.IUpdateActivityExecutionOptionsRequest;
type UpdateResponse = temporal.api.workflowservice.v1.IUpdateActivityExecutionOptionsResponse;

/** How an operator holds, frees and changes activities that belong to no workflow. */
export function standaloneControl(services: StandaloneServices): {
  pause(request: PauseRequest): object;
  unpause(request: UnpauseRequest): object;
  reset(request: ResetRequest): object;
  update(request: UpdateRequest): UpdateResponse;
} {
  const { activities, namespaces, limits, now } = services;
  /** Checks what a request says of itself, in the server's order. */
  const check = (request: PauseRequest & UpdateRequest): { readonly requestId: string } => {
    namespaces.get(request.namespace ?? '');
    const { requestId } = validOrder(limits, { requestId: request.requestId ?? '' });
    checkName({ activityId: request.activityId ?? '' });
    validOrder(limits, { identity: request.identity ?? '' });
    checkName(request);
    validOrder(limits, { reason: request.reason ?? '' });
    return { requestId };
  };
  const change = (request: PauseRequest, how: (state: ActivityState) => void): StandaloneActivity =>
    activities.change(findActivity(services, request), (draft) => {
      how(draft.state);
      return draft;
    });
  return {
    pause: (request) => {
      const { requestId } = check(request);
      change(request, (state) => {
        pause(state, requestId);
      });
      return {};
    },
    unpause: (request) => {
      const { requestId } = check(request);
      const waitMs = jitterWait(request.jitter);
      change(request, (state) => {
        unpause(state, { requestId, waitMs }, now());
      });
      return {};
    },
    reset: (request) => {
      const { requestId } = check(request);
      const order = {
        requestId,
        waitMs: jitterWait(request.jitter),
        keepsPaused: request.keepPaused ?? false,
        restores: request.restoreOriginalOptions ?? false,
        dropsHeartbeat: request.resetHeartbeat ?? false,
      };
      change(request, (state) => {
        reset(state, order, now());
      });
      return {};
    },
    update: (request) => {
      const { requestId } = check(request);
      const { restoreOriginal, updateMask, activityOptions } = request;
      if (updateMask?.paths?.length && restoreOriginal) {
        throw invalidArgument('Both UpdateMask and RestoreOriginal are provided');
      }
      const named = restoreOriginal ? new Set<string>() : validUpdate(activityOptions, updateMask);
      const { state } = change(request, (draft) => {
        const of = { activityId: request.activityId ?? '', activityType: draft.activityType };
        const update = {
          requestId,
          merge: restoreOriginal
            ? undefined
            : (options: ActivityState['options']) => mergeOptions(options, activityOptions ?? {}, named, of),
          changesRetry: [...named].some((field) => field.startsWith('retryPolicy')),
          changesStartDelay: named.has('startDelay'),
        };
        updateOptions(draft, update, now());
      });
      return { activityOptions: optionsView(state.options) };
    },
  };
}

/** A random wait of up to the jitter, in ms. */
function jitterWait(jitter: UnpauseRequest['jitter']): number {
  const longest = Math.floor(validMs(jitter, (problem) => `invalid jitter: ${problem}`));
  return longest > 0 ? randomInt(Math.min(longest, 2 ** 47)) : 0;
}
