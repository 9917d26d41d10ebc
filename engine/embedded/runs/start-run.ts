import type { temporal } from '@temporalio/proto';
import { newTimeOrderedId } from '../primitives/ids.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { EventType } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { createRun, type RunServices } from './create-run.ts';
import { resolveExistingRun } from './id-policies.ts';
import type { ValidStart } from './start-request.ts';
import { terminateForReuse } from './close-run.ts';

type StartResponse = temporal.api.workflowservice.v1.IStartWorkflowExecutionResponse;

export interface Started {
  readonly state: MutableState;
  /** False when the run existed (conflict policy use-existing). A repeated request counts as started. */
  readonly started: boolean;
  readonly isNew: boolean;
}

/** Starts a run, or finds the one that the id policies say to use, within the current transaction. */
export function startRun(
  services: Pick<RunServices, 'runs' | 'namespaces'>,
  start: ValidStart,
  beforeFirstTask?: (state: MutableState) => void,
): Started {
  const { namespace, workflowId, reusePolicy, conflictPolicy, ...run } = start;
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
    case 'same-request':
      return { state: decision.existing, started: true, isNew: false };
    case 'use-existing':
      return { state: decision.existing, started: false, isNew: false };
    case 'terminate-then-start':
    case 'start': {
      if (decision.kind === 'terminate-then-start') terminateForReuse(services.runs, decision.existing);
      const ref: RunRef = { namespace, workflowId, runId: newTimeOrderedId(services.runs.now()) };
      return { state: createRun(services, { ...run, ref }, beforeFirstTask), started: true, isNew: true };
    }
  }
}

export function startResponse({ state, started }: Started): StartResponse {
  const { ref, record } = state;
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
        eventRef: { eventId: long(1), eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED },
      },
    },
  };
}
