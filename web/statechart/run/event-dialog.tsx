import type { FormEvent, ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { useSchemaForm } from '../../parts/schema-form/schema-form.tsx';
import type { Action } from '../../parts/use-action.ts';

interface EventDialogProps {
  readonly type: string;
  readonly schema: JsonSchema | undefined;
  readonly initial: Readonly<Record<string, unknown>>;
  readonly action: Action;
  readonly onSend: (payload: object) => void;
  readonly onClose: () => void;
}

/** Asks what an event holds, by its schema or as JSON. */
export function EventDialog(props: EventDialogProps): ReactElement {
  const { type, schema, initial, action, onSend, onClose } = props;
  const form = useSchemaForm('Payload', schema, schema === undefined ? initial : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.check() && typeof form.value === 'object' && form.value !== null) onSend(form.value);
  };
  return (
    <Dialog open title={`Send ${type}`} onClose={onClose}>
      <form className="event-form" onSubmit={submit}>
        {schema === undefined ? (
          <p className="quiet small">
            No schema says what this event holds. Its type is added to what you write.
          </p>
        ) : null}
        {form.fields}
        {action.problem === undefined ? null : <Problem text={action.problem} />}
        <div className="buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" busy={action.busy}>
            Send
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
