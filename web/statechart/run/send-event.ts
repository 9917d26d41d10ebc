import { type ApiAnswer, call } from '../../client/api.ts';

type Takes = ApiAnswer<'GET /v1/workflows/{workflow_id}/interface'>;

/** How an event can reach a run: by an update, which is answered, or by a signal, which is not. */
export type Way = 'update' | 'signal';

/** The name of the messages by which actors take their events. */
const SEND = 'send';

/**
 * The ways that the run's own worker names, the better one first; both where it does not tell. A workflow that is no actor of
 * the library may take each event by a signal of its own name.
 */
export function waysOf(takes: Takes | undefined, types: readonly string[]): readonly Way[] {
  if (takes === undefined || takes.error !== null) return ['update', 'signal'];
  const { updates, signals } = takes;
  const ways: Way[] = [];
  if (updates.some(({ name }) => name === SEND)) ways.push('update');
  if (signals.some(({ name }) => name === SEND || types.includes(name))) ways.push('signal');
  return ways;
}

interface Sending {
  readonly workflowId: string;
  readonly runId: string;
  readonly takes: Takes | undefined;
}

/** Sends an event, and answers in words what became of it. Rejects where it was refused. */
export async function sendEvent(
  way: Way,
  type: string,
  payload: object,
  { workflowId, runId, takes }: Sending,
): Promise<string> {
  const params = { workflow_id: workflowId };
  const event = { ...payload, type };
  if (way === 'signal') {
    const hasSend = takes?.signals.some(({ name }) => name === SEND) ?? true;
    const own = !hasSend && takes?.signals.some(({ name }) => name === type) === true;
    const body = { run_id: runId, name: own ? type : SEND, args: own ? [payload] : [event] };
    await call('POST /v1/workflows/{workflow_id}/signal', { params, body });
    return `${type} is sent. A signal brings no answer.`;
  }
  const body = { run_id: runId, name: SEND, args: [event], wait_for: 'completed' as const };
  const { failure, stage } = await call('POST /v1/workflows/{workflow_id}/update', { params, body });
  if (failure !== null) throw new Error(failure.message);
  return stage === 'completed' ? `${type} is done.` : `${type} is on its way.`;
}
