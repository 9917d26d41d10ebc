import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { outdate } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { CheckField } from '../../parts/check-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { formatCount } from '../../parts/format.ts';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ArgumentsField } from '../actions/arguments-field.tsx';
import { argumentsOf } from '../actions/arguments.ts';
import { BatchOutcome } from './batch-outcome.tsx';
import { actOnQuery, actOnRuns, type BatchProgress } from './run-batch.ts';
import type { WorkflowRow } from './use-workflow-list.ts';

export type BatchAction = 'signal' | 'cancel' | 'terminate';

interface BatchDialogProps {
  readonly action: BatchAction;
  readonly chosen: readonly WorkflowRow[];
  readonly query: string;
  readonly onClose: () => void;
}

const WORDS = {
  signal: ['Signal', 'Each gets the signal as if it had been sent by itself.'],
  cancel: ['Cancel', 'Each is asked to end, and ends by its own code.'],
  terminate: ['Terminate', 'Each ends at once, and none of its code runs any more. This cannot be undone.'],
} as const;

/** Does one thing to many workflows, and shows what came of each. */
export function BatchDialog({ action, chosen, query, onClose }: BatchDialogProps): ReactElement {
  const client = useQueryClient();
  const { busy, problem, run } = useAction();
  const [all, setAll] = useState(false);
  const [reason, setReason] = useState('');
  const [name, setName] = useState('');
  const [args, setArgs] = useState('');
  const [fault, setFault] = useState<string>();
  const [progress, setProgress] = useState<BatchProgress>();
  const [verb, meaning] = WORDS[action];
  const title = all ? `${verb} all that the query finds` : `${verb} ${count(chosen.length)}`;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const parsed = argumentsOf(args);
    setFault('fault' in parsed ? parsed.fault : undefined);
    if ('fault' in parsed) return;
    const signal = action === 'signal' ? { signal: { name: name.trim(), args: parsed.args } } : {};
    const act = { action, reason, ...signal };
    run(async () => {
      const runs = chosen.map(({ workflow_id, run_id }) => ({ workflow_id, run_id }));
      await (all ? actOnQuery(act, query, setProgress) : actOnRuns(act, runs, setProgress));
      await outdate(client, 'GET /v1/workflows', 'GET /v1/workflow_count');
    });
  };
  if (progress !== undefined)
    return (
      <Dialog open title={title} onClose={onClose} wide>
        <BatchOutcome progress={progress} verb={verb} />
        <Problem text={problem} />
      </Dialog>
    );
  return (
    <Dialog open title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{meaning}</p>
        {action !== 'signal' ? null : (
          <>
            <TextField label="Signal" value={name} onChange={setName} required />
            <ArgumentsField value={args} onChange={setArgs} problem={fault} />
          </>
        )}
        <TextField
          label="Reason"
          hint="It stands in the histories."
          value={reason}
          onChange={setReason}
          maxLength={1000}
        />
        {query === '' ? null : (
          <CheckField
            label="All running ones that the query finds, not only those chosen"
            checked={all}
            onChange={setAll}
          />
        )}
        <Problem text={problem} />
        <div className="dialog-actions">
          <Button
            type="submit"
            busy={busy}
            tone={action === 'signal' ? 'primary' : 'danger'}
            disabled={action === 'signal' && name.trim() === ''}
          >
            {all ? `${verb} all` : title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function count(size: number): string {
  return size === 1 ? 'one workflow' : `${formatCount(size)} workflows`;
}
