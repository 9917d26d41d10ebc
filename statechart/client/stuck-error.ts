import type { Client } from '@temporalio/client';
import { ActorStuckError } from './errors.ts';

/** The failure of a task stands among the newest events: only signals and the like come after it. */
const EVENTS = 100;

/** Says why the tasks of a workflow fail, as its history has it; `refusal` is what the server said. */
export async function stuckError(
  client: Client,
  workflowId: string,
  refusal: Error,
): Promise<ActorStuckError> {
  const { namespace, loadedDataConverter } = client.options;
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace,
    execution: { workflowId },
    maximumPageSize: EVENTS,
  });
  const failed = history?.events?.find(
    ({ workflowTaskFailedEventAttributes: task }) => task?.failure != null,
  );
  const failure = failed?.workflowTaskFailedEventAttributes?.failure;
  if (failure == null) return new ActorStuckError(workflowId, refusal);
  const { failureConverter, payloadConverter } = loadedDataConverter;
  return new ActorStuckError(workflowId, failureConverter.failureToError(failure, payloadConverter));
}
