import type { temporal } from '@temporalio/proto';
import { newId } from '../primitives/ids.ts';
import { isTooLong } from '../protocol/id-length.ts';
import type { Limits } from '../primitives/limits.ts';
import { EventType, UpdateWorkflowExecutionLifecycleStage } from '../protocol/proto.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { type UpdateHandle, admitUpdate, findUpdate } from '../updates/admit.ts';
import type { UpdateProgress, UpdateRegistry } from '../updates/update-registry.ts';
import {
  LATE_TEXTS,
  type RunLookup,
  editRun,
  findRun,
  findRunOfChain,
  validExecution,
} from '../runs/find-run.ts';
import { type Call, type WorkflowHandlers, waitFor, waitMs } from '../rpc/call.ts';
import { invalidArgument, notFound, permissionDenied } from '../protocol/rpc-error.ts';

export type UpdateRequest = temporal.api.workflowservice.v1.IUpdateWorkflowExecutionRequest;
type UpdateResponse = temporal.api.workflowservice.v1.IUpdateWorkflowExecutionResponse;
type PollResponse = temporal.api.workflowservice.v1.IPollWorkflowExecutionUpdateResponse;

const Stage = UpdateWorkflowExecutionLifecycleStage;
const UNSPECIFIED = Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_UNSPECIFIED;
const ADMITTED = Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED;
const ACCEPTED = Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED;
const COMPLETED = Stage.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED;

/** What updating runs takes. */
export interface UpdateServices extends RunLookup {
  readonly updates: UpdateRegistry;
  readonly limits: Limits;
}

export function updateHandlers(services: UpdateServices): WorkflowHandlers {
  const { runs, updates, limits } = services;
  return {
    UpdateWorkflowExecution: async (request, call) => {
      services.namespaces.get(request.namespace ?? '');
      const updateId = validateUpdate(request);
      const { namespace, workflowExecution, firstExecutionRunId } = request;
      const found = findRunOfChain(services, namespace, workflowExecution, firstExecutionRunId);
      const handle = runs.transact(() =>
        admitUpdate(
          updates,
          editRun(runs, found),
          updateId,
          withId(request, updateId),
          limits.inFlightUpdates,
        ),
      );
      return awaitUpdate(services, call, found.ref, updateId, handle, request.waitPolicy?.lifecycleStage);
    },
    PollWorkflowExecutionUpdate: async (request, call): Promise<PollResponse> => {
      const { updateRef, namespace, waitPolicy } = request;
      services.namespaces.get(namespace ?? '');
      if (!updateRef) throw invalidArgument('UpdateRef is not set on request.');
      const found = findRun(services, namespace, updateRef.workflowExecution, LATE_TEXTS);
      const updateId = updateRef.updateId ?? '';
      const handle = findUpdate(updates, found, updateId);
      if (!handle) throw notFound(`update "${updateId}" not found`);
      const { link: _link, ...response } = await awaitUpdate(
        services,
        call,
        found.ref,
        updateId,
        handle,
        waitPolicy?.lifecycleStage,
      );
      return response;
    },
  };
}

/** Checks an update request and answers the update's id, which is a new one when the caller named none. */
export function validateUpdate(request: UpdateRequest): string {
  validExecution(request.workflowExecution);
  const { meta, input } = request.request ?? {};
  if (!meta) throw invalidArgument('Update meta is not set on request.');
  if (isTooLong(meta.updateId)) throw invalidArgument('UpdateId length exceeds limit.');
  if (!input) throw invalidArgument('Update input is not set on request.');
  if (!input.name) throw invalidArgument('Update name is not set on request.');
  if (request.waitPolicy?.lifecycleStage === ADMITTED) {
    throw permissionDenied(
      'UpdateWorkflowExecution issued asynchronously and waiting on update admitted is not supported.',
    );
  }
  return meta.updateId || newId();
}

/** Makes the request as the worker gets it, which always has its id. */
export function withId(request: UpdateRequest, updateId: string): temporal.api.update.v1.IRequest {
  const { meta, ...rest } = request.request ?? {};
  return { ...rest, meta: { ...meta, updateId } };
}

/** Waits until the update is at the wanted stage, or for as long as a long poll lasts, then answers its stage. */
export async function awaitUpdate(
  { updates, limits }: UpdateServices,
  call: Call,
  ref: RunRef,
  updateId: string,
  handle: UpdateHandle,
  wanted: number | null | undefined,
): Promise<UpdateResponse> {
  const stage = wanted ?? UNSPECIFIED;
  const progress = (): UpdateProgress => (handle.kind === 'known' ? handle.progress : handle.update.progress);
  const isThere = (): boolean => stage === UNSPECIFIED || stageNumber(progress()) >= stage;
  if (handle.kind === 'pending' && !isThere()) {
    const { update } = handle;
    await waitFor<true>(call, waitMs(limits, call, limits.updateWaitMs), (resolve) => {
      const listener = (): void => {
        if (isThere()) resolve(true);
      };
      update.listeners.add(listener);
      return () => {
        update.listeners.delete(listener);
        updates.release(ref, update);
      };
    });
  }
  return toResponse(ref, updateId, progress());
}

function stageNumber(progress: UpdateProgress): number {
  switch (progress.stage) {
    case 'admitted':
      return ADMITTED;
    case 'accepted':
      return ACCEPTED;
    case 'completed':
    case 'aborted':
      return COMPLETED;
  }
}

function toResponse(ref: RunRef, updateId: string, progress: UpdateProgress): UpdateResponse {
  if (progress.stage === 'aborted') throw progress.error;
  const { namespace, workflowId, runId } = ref;
  const rejected = progress.stage === 'completed' && progress.rejected;
  const link = rejected
    ? { workflow: { namespace, workflowId, runId, reason: 'Update rejected' } }
    : {
        workflowEvent: {
          namespace,
          workflowId,
          runId,
          requestIdRef: {
            requestId: updateId,
            eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED,
          },
        },
      };
  return {
    updateRef: { workflowExecution: { workflowId, runId }, updateId },
    stage: stageNumber(progress),
    ...(progress.stage === 'completed' && { outcome: progress.outcome }),
    ...(progress.stage !== 'admitted' && { link }),
  };
}
