import { type ApiAnswer, call } from '../../client/api.ts';

/** An explanation with all macrosteps that were read so far. */
export type Explained = ApiAnswer<'GET /v1/workflows/{workflow_id}/explanation'>;

export const EXPLANATION = 'GET /v1/workflows/{workflow_id}/explanation';

/** Steps that are asked for at a time: few at first, so that something is there soon. */
const FIRST = 200;
const FURTHER = 1000;

interface Reading {
  readonly workflowId: string;
  /** Undefined: the newest run. */
  readonly runId: string | undefined;
  readonly signal: AbortSignal;
  /** Is told what was read on the way. */
  readonly onPart: (part: Explained) => void;
}

/** Reads an explanation, or what has come to it since it was read last: steps that are new, and those that were changed. */
export async function readExplained(before: Explained | undefined, reading: Reading): Promise<Explained> {
  const { workflowId, runId, signal, onPart } = reading;
  const has = before?.known === true ? before : undefined;
  const isWhole = has !== undefined && has.steps.length >= (has.explanation?.step_count ?? 0);
  const isFirst = has === undefined;
  const query: Record<string, string> = {
    ...(runId === undefined ? {} : { run_id: runId }),
    ...(isFirst ? {} : { definition: 'false' }),
    ...(isWhole ? { after_event: String(has.explanation?.last_event_id ?? 0) } : {}),
    ...(isFirst || isWhole ? {} : { from_step: String(has.steps.length + 1) }),
  };
  const ask = (page: string | null): Promise<Explained> => {
    const limit = String(page === null && isFirst ? FIRST : FURTHER);
    const paged = { ...query, limit, ...(page === null ? {} : { page, definition: 'false' }) };
    return call(EXPLANATION, { params: { workflow_id: workflowId }, query: paged, signal });
  };
  let answer = await ask(null);
  // The newest run may be another one by now.
  if (has !== undefined && (answer.run_id !== has.run_id || !answer.known))
    return await readExplained(undefined, reading);
  // Steps of an earlier page may have been changed by now, which is asked after the next time.
  const { last_event_id: asOf = 0 } = (isWhole ? answer : (has ?? answer)).explanation ?? {};
  let whole = merged(has, answer, asOf);
  while (answer.next_page !== null) {
    onPart(whole);
    answer = await ask(answer.next_page);
    whole = merged(whole, answer, asOf);
  }
  return whole;
}

/** @param asOf The event up to which all of its steps are known. */
function merged(before: Explained | undefined, answer: Explained, asOf: number): Explained {
  const { definition, event_schemas } = before ?? answer;
  const explanation = answer.explanation === null ? null : { ...answer.explanation, last_event_id: asOf };
  const steps = [...(before?.steps ?? [])];
  for (const step of answer.steps) steps[Number(step['number']) - 1] = step;
  if (explanation !== null) steps.length = Math.min(steps.length, explanation.step_count);
  return { ...answer, definition, event_schemas, explanation, steps, next_page: null };
}
