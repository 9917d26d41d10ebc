import type { temporal } from '@temporalio/proto';
import { newTimeOrderedId } from '../primitives/ids.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { EventType } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { createRun, type RunServices } from './create-run.ts';
import { resolveExistingRun } from './id-policies.ts';
import { terminateForReuse } from './close-run.ts';
import { editRun } from './find-run.ts';
import type { Attachment, ValidStart } from './start-request.ts';

type StartResponse = temporal.api.workflowservice.v1.IStartWorkflowExecutionResponse;

export interface Started {
  readonly state: MutableState;
  /** False when the run existed (conflict policy use-existing). A repeated request counts as started. */
  readonly started: boolean;
  readonly isNew: boolean;
  /** The request that was attached to a run that existed. */
  readonly attachedRequestId?: string;
}

/** Starts a run, or finds the one that the id policies say to use, within the current transaction. */
export function startRun(
  services: Pick<RunServices, 'runs' | 'namespaces'>,
  start: ValidStart,
  beforeFirstTask?: (state: MutableState) => void,
): Started {
  const { namespace, workflowId, reusePolicy, conflictPolicy, attach, ...run } = start;
  const decision = resolveExistingRun(services.runs, {
    namespace,
    workflowId,
    requestId: start.startRequestId,
    reusePolicy,
    conflictPolicy,
  });
  switch (decision.kind) {
    case 'refuse':
      throw decision.error;
    case 'same-request': {
      const { existing } = decision;
      const requestId = start.startRequestId;
      if (requestId === existing.record.startRequestId) {
        return { state: existing, started: true, isNew: false };
      }
      return { state: existing, started: false, isNew: false, attachedRequestId: requestId };
    }
    case 'use-existing':
      if (attach) attachTo(editRun(services.runs, decision.existing), attach);
      return {
        state: decision.existing,
        started: false,
        isNew: false,
        ...(attach?.requestId && { attachedRequestId: attach.requestId }),
      };
    case 'terminate-then-start':
    case 'start': {
      const ref: RunRef = { namespace, workflowId, runId: newTimeOrderedId(services.runs.now()) };
      if (decision.kind === 'terminate-then-start') {
        terminateForReuse(services.runs, decision.existing, ref.runId);
      }
      return { state: createRun(services, { ...run, ref }, beforeFirstTask), started: true, isNew: true };
    }
  }
}

/** Writes that another start has found the run. */
function attachTo(state: MutableState, { requestId, links }: Attachment): void {
  state.receive(
    { workflowExecutionOptionsUpdatedEventAttributes: { attachedRequestId: requestId } },
    { links, workerMayIgnore: true },
  );
}

export function startResponse({ state, started, attachedRequestId: requestId }: Started): StartResponse {
  const { ref, record } = state;
  const event =
    requestId === undefined
      ? { eventRef: { eventId: long(1), eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED } }
      : {
          requestIdRef: {
            requestId,
            eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED,
          },
        };
  return {
    runId: ref.runId,
    ...(started && { started }),
    status: record.status,
    firstExecutionRunId: record.firstRunId,
    link: {
      workflowEvent: {
        namespace: ref.namespace,
        workflowId: ref.workflowId,
        runId: ref.runId,
        ...event,
      },
    },
  };
}
