import { ApiError } from '@steadyhand/contracts';
import type { StackTrace, WorkflowInterface } from '../shapes/messages.ts';
import { type Fields, fieldsOf, isFields, listOf, maybeText, numberOf, textOf } from '../wire/fields.ts';
import type { Messages } from './messages.ts';

/** How long a person waits for what only a worker can tell. */
const ASK_MS = 5000;

interface Asked {
  readonly workflowId: string;
  readonly runId: string | null;
}

/** A query's answer, or why there is none; rejects where there is no such workflow. */
export async function answerOf(
  messages: Messages,
  { workflowId, runId }: Asked,
  name: string,
  args: readonly unknown[] = [],
): Promise<{ readonly value: unknown; readonly error: string | null }> {
  try {
    const body = { run_id: runId, name, args: [...args] };
    const { result } = await messages.query(workflowId, body, ASK_MS);
    const [first] = result;
    return { value: first?.value, error: first?.error ?? null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.type === 'not_found_error') throw error;
    return { value: undefined, error: error.message };
  }
}

/** Where the workflow's code stands, by the queries that every SDK answers. */
export async function stackTraceOf(messages: Messages, asked: Asked): Promise<StackTrace> {
  const plain = await answerOf(messages, asked, '__stack_trace');
  // Without a worker the second question would only wait, too.
  const enhanced = plain.error === null ? await answerOf(messages, asked, '__enhanced_stack_trace') : plain;
  return {
    type: 'workflow_stack_trace',
    workflow_id: asked.workflowId,
    run_id: asked.runId,
    stack_trace: typeof plain.value === 'string' ? plain.value : null,
    ...(isFields(enhanced.value) ? enhancedOf(enhanced.value) : { stacks: null, sources: null }),
    error: plain.error,
  };
}

function enhancedOf(trace: Fields): Pick<StackTrace, 'stacks' | 'sources'> {
  return {
    stacks: listOf(trace, 'stacks').map((stack) => ({
      frames: listOf(stack, 'locations').map((place) => ({
        function_name: maybeText(place, 'function_name') ?? maybeText(place, 'functionName'),
        file_path: maybeText(place, 'file_path') ?? maybeText(place, 'filePath'),
        line: numberOf(place, 'line') || null,
        column: numberOf(place, 'column') || null,
      })),
    })),
    sources: Object.fromEntries(
      Object.entries(fieldsOf(trace, 'sources')).map(([path, slices]) => [
        path,
        (Array.isArray(slices) ? slices : [slices])
          .filter((slice) => isFields(slice))
          .map((slice) => ({
            line_offset: numberOf(slice, 'line_offset') || numberOf(slice, 'lineOffset'),
            content: textOf(slice, 'content'),
          })),
      ]),
    ),
  };
}

/** The names of what the workflow takes, as its SDK tells them. */
export async function interfaceOf(messages: Messages, asked: Asked): Promise<WorkflowInterface> {
  const { value, error } = await answerOf(messages, asked, '__temporal_workflow_metadata');
  const metadata = isFields(value) ? value : {};
  const definition = fieldsOf(metadata, 'definition');
  return {
    type: 'workflow_interface',
    workflow_id: asked.workflowId,
    run_id: asked.runId,
    workflow_type: maybeText(definition, 'type'),
    description: maybeText(definition, 'description'),
    current_details: maybeText(metadata, 'currentDetails'),
    queries: interactionsOf(definition, 'queryDefinitions'),
    signals: interactionsOf(definition, 'signalDefinitions'),
    updates: interactionsOf(definition, 'updateDefinitions'),
    error,
  };
}

const interactionsOf = (definition: Fields, key: string): WorkflowInterface['queries'] =>
  listOf(definition, key)
    // Those that every SDK has are asked by routes of their own.
    .filter((each) => !textOf(each, 'name').startsWith('__'))
    .map((each) => ({ name: textOf(each, 'name'), description: maybeText(each, 'description') }));
