import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { call } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.ts';
import { useAction } from '../../parts/use-action.ts';
import { ACTION_WORDS, type Workflow } from './action-name.ts';
import { outdateWorkflow } from './outdate.ts';

interface EndDialogProps {
  readonly kind: 'cancel' | 'terminate';
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

const MEANING = {
  cancel: 'The workflow is asked to end. Its own code decides what it still does before that.',
  terminate: 'The workflow ends at once, and none of its code runs any more. This cannot be undone.',
} as const;

/** Ends a workflow, kindly or at once. */
export function EndDialog({ kind, workflow, onClose }: EndDialogProps): ReactElement {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const { busy, problem, run } = useAction();
  const { workflow_id, run_id } = workflow;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => {
      await call(`POST /v1/workflows/{workflow_id}/${kind}`, {
        params: { workflow_id },
        body: { run_id, reason },
      });
      await outdateWorkflow(client);
      toast(kind === 'cancel' ? 'The workflow is asked to end.' : 'The workflow is terminated.');
      onClose();
    });
  };
  return (
    <Dialog open title={`${ACTION_WORDS[kind]} this workflow?`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{MEANING[kind]}</p>
        <TextField
          label="Reason"
          hint="It stands in the history."
          value={reason}
          onChange={setReason}
          maxLength={1000}
        />
        <Problem text={problem} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Keep it running</Button>
          <Button type="submit" tone="danger" busy={busy}>
            {ACTION_WORDS[kind]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
