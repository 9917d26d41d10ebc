import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../client/api.ts';
import { outdate, read } from '../../client/queries.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import type { Step } from '../chart/step.ts';
import { EventDialog } from './event-dialog.tsx';
import { isBare, lastPayload, payloadSchema } from './event-form.ts';

interface EventButtonsProps {
  readonly workflowId: string;
  readonly runId: string;
  readonly types: readonly string[];
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  /** Of an earlier moment they are shown only: an event is always sent now. */
  readonly isNewest: boolean;
}

const ROUTE = 'GET /v1/workflows/{workflow_id}/explanation';

/** The events that the machine takes, each a button. Guards are not evaluated, so that one may still be refused. */
export function EventButtons(props: EventButtonsProps): ReactElement {
  const { workflowId, runId, types, schemas, steps, isNewest } = props;
  const client = useQueryClient();
  const action = useAction();
  const [asked, setAsked] = useState<string>();
  const params = { workflow_id: workflowId };
  const { data: workflow } = useQuery(
    read('GET /v1/workflows/{workflow_id}', { params, query: { run_id: runId } }),
  );
  const update = workflow?.actions.update;
  const isAllowed = update?.available === true;

  const send = (type: string, payload: object): void =>
    action.run(async () => {
      const body = {
        run_id: runId,
        name: 'send',
        args: [{ ...payload, type }],
        wait_for: 'completed' as const,
      };
      const { failure, stage } = await call('POST /v1/workflows/{workflow_id}/update', {
        params,
        body,
      } as never);
      if (failure !== null) throw new Error(failure.message);
      announce(stage === 'completed' ? `${type} is done.` : `${type} is on its way.`);
      setAsked(undefined);
      await outdate(client, ROUTE);
    });
  const press = (type: string): void => {
    const schema = payloadSchema(schemas[type]);
    if (isBare(schema)) send(type, {});
    else setAsked(type);
  };

  if (types.length === 0) return <p className="quiet small">The machine takes no events here.</p>;
  return (
    <div className="event-buttons">
      <div
        className="buttons"
        role="group"
        aria-label={isNewest ? 'Events that may be sent now' : 'Events that could be sent'}
      >
        {types.map((type) => (
          <Button
            key={type}
            size="small"
            disabled={!isNewest || !isAllowed}
            busy={action.busy}
            onClick={() => press(type)}
          >
            {type}
          </Button>
        ))}
      </div>
      {isNewest && update?.available === false ? <p className="quiet small">{update.reason}</p> : null}
      {isNewest ? null : <p className="quiet small">An event is sent to the newest moment.</p>}
      {action.problem === undefined || asked !== undefined ? null : <Problem text={action.problem} />}
      {asked === undefined ? null : (
        <EventDialog
          type={asked}
          schema={payloadSchema(schemas[asked])}
          initial={lastPayload(steps, asked)}
          action={action}
          onSend={(payload) => send(asked, payload)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}
