import { Crosshair, Play } from 'lucide-react';
import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { useSchemaForm } from '../../parts/schema-form/schema-form.tsx';
import { formOf, placeOf, pointedField, type ToolAction } from './hand-action.ts';
import type { Aim } from './pick-overlay.tsx';

interface ActionFormProps {
  readonly action: ToolAction;
  /** An input that was run before. */
  readonly initial: Readonly<Record<string, unknown>> | undefined;
  readonly busy: boolean;
  readonly onAim: (aim: Aim | undefined) => void;
  readonly onRun: (input: Readonly<Record<string, unknown>>) => void;
}

/** The form of one action. Places can be pointed at on the screen beside it. */
export function ActionForm({ action, initial, busy, onAim, onRun }: ActionFormProps): ReactElement {
  const { schema, fixed } = formOf(action.input_schema as JsonSchema);
  const form = useSchemaForm('Input', schema, initial);
  const [pointing, setPointing] = useState(false);
  const field = pointedField(schema, form.value);
  const held = (form.value ?? {}) as Readonly<Record<string, unknown>>;
  const picks = pointing && field !== undefined;
  const signature = JSON.stringify([held['coordinate'], held['start_coordinate'], picks, field]);
  useEffect(() => {
    const aim: Aim = {
      to: placeOf(held['coordinate']),
      from: placeOf(held['start_coordinate']),
      pick: picks
        ? ({ x, y }) => {
            form.set({ ...held, [field]: [x, y] });
            // A drag has two places; the last one ends the pointing.
            setPointing(field === 'start_coordinate');
          }
        : undefined,
    };
    onAim(aim.to === undefined && aim.from === undefined && !picks ? undefined : aim);
    // The other values of the form say nothing about places, but a click has to keep them.
  }, [signature, form.value, onAim]);
  useEffect(() => () => onAim(undefined), [onAim]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy && form.check()) onRun({ ...held, ...fixed });
  };
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  return (
    <form
      className="action-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
      }}
    >
      <p className="hint">{action.description.replaceAll('`', '')}</p>
      {isEmpty ? null : form.fields}
      <div className="buttons">
        <Button type="submit" tone="primary" busy={busy}>
          <Play size={15} aria-hidden />
          {busy ? 'Running…' : 'Run'}
        </Button>
        {field === undefined ? null : (
          <Button aria-pressed={pointing} onClick={() => setPointing(!pointing)}>
            <Crosshair size={15} aria-hidden />
            {pointing ? 'Click on the screen' : 'Point at the screen'}
          </Button>
        )}
      </div>
    </form>
  );
}
