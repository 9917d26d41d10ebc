import { fieldsOf, type HistoryEvent } from './history-event.ts';
import { errorOf, valuesOf } from './payloads.ts';

/** How an actor has ended. */
export type Outcome = { readonly output: unknown } | { readonly error: unknown };

/** What the end of an activity or a child tells the machine. */
export function outcomeOf({ type, attributes }: HistoryEvent): Outcome {
  switch (type) {
    case 'ActivityTaskCompleted':
    case 'ChildWorkflowExecutionCompleted': {
      const [output] = valuesOf(attributes['result']);
      return { output };
    }
    case 'ActivityTaskCanceled':
    case 'ChildWorkflowExecutionCanceled':
      return { error: errorOf({ message: 'cancelled', canceledFailureInfo: {} }) };
    case 'ChildWorkflowExecutionTerminated':
      return {
        error: errorOf({ message: 'Child Workflow execution terminated', terminatedFailureInfo: {} }),
      };
    case 'ChildWorkflowExecutionTimedOut':
      return {
        error: errorOf({
          message: 'Child Workflow execution timed out',
          timeoutFailureInfo: { timeoutType: 'START_TO_CLOSE' },
        }),
      };
    case 'StartChildWorkflowExecutionFailed': {
      const error = new Error('Workflow execution already started');
      error.name = 'WorkflowExecutionAlreadyStartedError';
      return { error };
    }
    default:
      return { error: errorOf(fieldsOf(attributes, 'failure')) };
  }
}
