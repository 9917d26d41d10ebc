import type { Workflow } from '../shapes/workflow.ts';
import { type Fields, fieldsOf, maybeText, textOf, wordOf } from '../wire/fields.ts';

type Continuation = NonNullable<Workflow['continued_from']>;

const INITIATORS: Readonly<Record<string, Continuation['kind']>> = {
  workflow: 'continue_as_new',
  retry: 'retry',
  cron_schedule: 'cron',
};

/** The attributes of an event, whatever its type. */
export function attributesOf(event: Fields): Fields {
  const key = Object.keys(event).find((name) => name.endsWith('EventAttributes'));
  return key === undefined ? {} : fieldsOf(event, key);
}

/** The run before this one, by the first event. A reset's run has the first event of the run that was reset. */
export function continuedFrom(started: Fields, runId: string): Continuation | null {
  const attributes = attributesOf(started);
  const original = textOf(attributes, 'originalExecutionRunId');
  if (original !== '' && original !== runId) return { run_id: original, kind: 'reset' };
  const before = maybeText(attributes, 'continuedExecutionRunId');
  return before === null ? null : { run_id: before, kind: kindOf(attributes) };
}

/** The run that goes on in this one's place, by its last event or by a reset of it. */
export function continuedTo(closed: Fields | null, resetRunId: string | null): Continuation | null {
  if (closed !== null) {
    const attributes = attributesOf(closed);
    const next = maybeText(attributes, 'newExecutionRunId');
    if (next !== null) {
      const kind = kindOf(attributes);
      return { run_id: next, kind: kind === 'unknown' ? kindByEnd(textOf(closed, 'eventType')) : kind };
    }
  }
  return resetRunId === null ? null : { run_id: resetRunId, kind: 'reset' };
}

/** Of a run that says only that another one follows. */
function kindByEnd(eventType: string): Continuation['kind'] {
  if (eventType.endsWith('CONTINUED_AS_NEW')) return 'continue_as_new';
  return eventType.endsWith('EXECUTION_COMPLETED') ? 'cron' : 'retry';
}

const kindOf = (attributes: Fields): Continuation['kind'] =>
  INITIATORS[wordOf(attributes, 'initiator', 'CONTINUE_AS_NEW_INITIATOR_')] ?? 'unknown';
