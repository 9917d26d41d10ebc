import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { outdate } from '../../client/queries.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { EXPLANATION } from '../../workflows/explained/read-explained.ts';
import type { Step } from '../chart/step.ts';
import { EventDialog } from './event-dialog.tsx';
import { isBare, lastPayload, payloadSchema } from './event-form.ts';
import { useSending } from './use-sending.ts';
import { WayChoice } from './way-choice.tsx';

interface EventButtonsProps {
  readonly workflowId: string;
  readonly runId: string;
  readonly types: readonly string[];
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  /** Of an earlier moment they are shown only: an event is always sent now. */
  readonly isNewest: boolean;
}

/** The events that the machine takes, each a button. Guards are not evaluated, so that one may still be refused. */
export function EventButtons(props: EventButtonsProps): ReactElement {
  const { workflowId, runId, types, schemas, steps, isNewest } = props;
  const client = useQueryClient();
  const action = useAction();
  const [asked, setAsked] = useState<string>();
  const sending = useSending(workflowId, runId, types, isNewest);
  const { ways, way, obstacle } = sending;

  const send = (type: string, payload: object): void =>
    action.run(async () => {
      announce(await sending.send(type, payload));
      setAsked(undefined);
      await outdate(client, EXPLANATION);
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
            disabled={!isNewest || way === undefined}
            busy={action.busy}
            onClick={() => press(type)}
          >
            {type}
          </Button>
        ))}
      </div>
      {isNewest && way !== undefined ? <WayChoice ways={ways} way={way} onChoose={sending.choose} /> : null}
      {isNewest && obstacle !== undefined ? <p className="quiet small">{obstacle}</p> : null}
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
