import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { read } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.ts';
import { useAction } from '../../parts/use-action.ts';
import { ACTION_WORDS, type MessageName, type Workflow } from './action-name.ts';
import { ArgumentsField } from './arguments-field.tsx';
import { argumentsOf } from './arguments.ts';
import { MessageAnswer } from './message-answer.tsx';
import { type Answer, sendMessage } from './send-message.ts';
import { outdateWorkflow } from './outdate.ts';

interface MessageDialogProps {
  readonly kind: MessageName;
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

const LISTS = { signal: 'signals', update: 'updates', query: 'queries' } as const;

/** Sends a signal, an update or a query, with the names that the workflow takes. */
export function MessageDialog({ kind, workflow, onClose }: MessageDialogProps): ReactElement {
  const client = useQueryClient();
  const list = useId();
  const { workflow_id, run_id } = workflow;
  const { data: takes, isPending } = useQuery(
    read('GET /v1/workflows/{workflow_id}/interface', { params: { workflow_id }, query: { run_id } }),
  );
  const [name, setName] = useState('');
  const [args, setArgs] = useState('');
  const [fault, setFault] = useState<string>();
  const [answer, setAnswer] = useState<Answer>();
  const { busy, problem, run } = useAction();
  const names = (takes?.[LISTS[kind]] ?? []).filter((one) => one.name !== '');
  const described = names.find((one) => one.name === name)?.description;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const parsed = argumentsOf(args);
    setFault('fault' in parsed ? parsed.fault : undefined);
    if ('fault' in parsed) return;
    run(async () => {
      setAnswer(undefined);
      const said = await sendMessage(kind, workflow_id, { run_id, name: name.trim(), args: parsed.args });
      await outdateWorkflow(client);
      if (said !== undefined) return setAnswer(said);
      toast(`The signal ${name.trim()} is sent.`);
      onClose();
    });
  };
  const hint =
    described ??
    (isPending
      ? 'Asking the workflow what it takes…'
      : (takes?.error ??
        hintOf(
          names.map((one) => one.name),
          kind,
        )));
  return (
    <Dialog open title={`${ACTION_WORDS[kind]} this workflow`} onClose={onClose} wide={answer !== undefined}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          required
          list={list}
          hint={hint}
          autoComplete="off"
        />
        <datalist id={list}>
          {names.map((one) => (
            <option key={one.name} value={one.name}>
              {one.description}
            </option>
          ))}
        </datalist>
        <ArgumentsField value={args} onChange={setArgs} problem={fault} />
        <Problem text={problem} />
        {answer === undefined ? null : <MessageAnswer answer={answer} />}
        <div className="dialog-actions">
          <Button type="submit" tone="primary" busy={busy} disabled={name.trim() === ''}>
            {kind === 'query' ? 'Ask' : 'Send'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function hintOf(names: readonly string[], kind: MessageName): string {
  return names.length === 0 ? `The workflow names no ${LISTS[kind]}.` : `It takes ${names.join(', ')}.`;
}
