import { type ApiAnswer, call } from '../../client/api.ts';
import type { Failure } from '../failure-view.tsx';
import type { Payload } from '../payloads/payload.ts';
import type { MessageName } from './action-name.ts';

interface Message {
  readonly run_id: string;
  readonly name: string;
  readonly args: unknown[];
}

/** What a query or an update has answered. */
export interface Answer {
  readonly result: readonly Payload[] | null;
  readonly failure: Failure | null;
  /** How far an update has come that has not answered yet. */
  readonly stage: ApiAnswer<'POST /v1/workflows/{workflow_id}/update'>['stage'] | undefined;
}

/** Sends it, and answers what came back; a signal brings nothing back. */
export async function sendMessage(
  kind: MessageName,
  workflowId: string,
  body: Message,
): Promise<Answer | undefined> {
  const params = { workflow_id: workflowId };
  switch (kind) {
    case 'signal':
      await call('POST /v1/workflows/{workflow_id}/signal', { params, body });
      return undefined;
    case 'query': {
      const { result } = await call('POST /v1/workflows/{workflow_id}/query', { params, body });
      return { result, failure: null, stage: undefined };
    }
    case 'update': {
      const { result, failure, stage } = await call('POST /v1/workflows/{workflow_id}/update', {
        params,
        body,
      });
      return { result, failure, stage };
    }
  }
}
