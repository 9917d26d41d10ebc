import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useMemo, useState } from 'react';
import { call } from '../../client/api.ts';
import { Button } from '../../parts/button.tsx';
import { CheckField } from '../../parts/check-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.ts';
import { useAction } from '../../parts/use-action.ts';
import type { HistoryEvent } from '../history/history-event.ts';
import type { Workflow } from './action-name.ts';
import { outdateWorkflow } from './outdate.ts';
import { resetPointsOf } from './reset-points.ts';

interface ResetDialogProps {
  readonly workflow: Workflow;
  readonly events: readonly HistoryEvent[];
  readonly onClose: () => void;
}

/** Has the workflow begin a new run from a place in this one's history. */
export function ResetDialog({ workflow, events, onClose }: ResetDialogProps): ReactElement {
  const client = useQueryClient();
  const navigate = useNavigate();
  const points = useMemo(() => resetPointsOf(events), [events]);
  const [place, setPlace] = useState('last_workflow_task');
  const [reason, setReason] = useState('');
  const [signals, setSignals] = useState(true);
  const [updates, setUpdates] = useState(true);
  const { busy, problem, run } = useAction();
  const { workflow_id, run_id } = workflow;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => {
      const to =
        place === 'first_workflow_task' || place === 'last_workflow_task'
          ? { to: place }
          : { event_id: Number(place) };
      const exclude = [...(signals ? [] : ['signal' as const]), ...(updates ? [] : ['update' as const])];
      const { new_run_id } = await call('POST /v1/workflows/{workflow_id}/reset', {
        params: { workflow_id },
        body: { run_id, reason, exclude, ...(to as { to: 'last_workflow_task' }) },
      });
      await outdateWorkflow(client);
      toast('The workflow goes on in a new run.');
      onClose();
      await navigate({
        to: '/workflows/$workflowId',
        params: { workflowId: workflow_id },
        search: { run_id: new_run_id },
      });
    });
  };
  return (
    <Dialog open title="Reset this workflow" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>This run ends, and a new one goes on from the place that you choose.</p>
        <SelectField
          label="From which event"
          value={place}
          options={[
            { value: 'last_workflow_task', label: 'The last workflow task' },
            { value: 'first_workflow_task', label: 'The first workflow task' },
            ...points.map(({ id, label }) => ({ value: String(id), label: `Event ${label}` })),
          ]}
          onChange={setPlace}
        />
        <CheckField label="Send the signals that came later again" checked={signals} onChange={setSignals} />
        <CheckField label="Send the updates that came later again" checked={updates} onChange={setUpdates} />
        <TextField
          label="Reason"
          hint="It stands in the history."
          value={reason}
          onChange={setReason}
          maxLength={1000}
        />
        <Problem text={problem} />
        <div className="dialog-actions">
          <Button type="submit" tone="danger" busy={busy}>
            Reset
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
