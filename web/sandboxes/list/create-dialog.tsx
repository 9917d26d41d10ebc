import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { call } from '../../client/api.ts';
import { outdate, read } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { CheckField } from '../../parts/check-field.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextAreaField, TextField } from '../../parts/fields.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { randomId } from '../parts/random-id.ts';
import { createBody, type CreateFields, NEW_SANDBOX } from './create-body.ts';

const NETWORKS = [
  { value: 'default', label: 'As the server has it' },
  { value: 'none', label: 'No network' },
  { value: 'limited', label: 'Some hosts' },
  { value: 'unrestricted', label: 'All public hosts' },
] as const;

/** Makes a sandbox for direct use and goes there. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const form = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const action = useAction();
  const [fields, setFields] = useState(NEW_SANDBOX);
  const [checked, setChecked] = useState(false);
  // The same key again is the same sandbox: a lost answer makes no second one.
  const [key, setKey] = useState(() => randomId());
  const snapshots = useQuery(read('GET /v1/snapshots', {})).data?.data ?? [];
  const { body, faults } = createBody(fields);
  const shown = checked ? faults : {};
  const set = (change: Partial<CreateFields>): void => {
    setFields((before) => ({ ...before, ...change }));
    setKey(randomId());
  };
  const text = (field: 'width' | 'height' | 'memory' | 'cpus' | 'disk', label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      inputMode="decimal"
      value={fields[field]}
      problem={shown[field]}
      onChange={(value) => set({ [field]: value })}
    />
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (Object.keys(faults).length > 0) return;
    action.run(async () => {
      const made = await call('POST /v1/sandboxes', { body, headers: { 'idempotency-key': key } });
      await outdate(client, 'GET /v1/sandboxes');
      await navigate({ to: '/sandboxes/$id', params: { id: made.id } });
    });
  };
  return (
    <Dialog
      open
      title="New sandbox"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" form={form} busy={action.busy}>
            {action.busy ? 'It is starting…' : 'Create'}
          </Button>
        </>
      }
    >
      <form id={form} className="create-sandbox" onSubmit={submit}>
        <div className="field-pair">
          {text('width', 'Width in pixels')}
          {text('height', 'Height in pixels')}
        </div>
        <SelectField
          label="Network"
          value={fields.network}
          options={NETWORKS}
          onChange={(network) => set({ network })}
        />
        {fields.network === 'limited' ? (
          <>
            <TextAreaField
              label="Hosts"
              code
              rows={3}
              hint="One a line; *.example.com covers all subdomains."
              value={fields.hosts}
              onChange={(hosts) => set({ hosts })}
            />
            <CheckField
              label="Package registries as well"
              checked={fields.packages}
              onChange={(packages) => set({ packages })}
            />
          </>
        ) : null}
        <SelectField
          label="Files"
          value={fields.snapshot}
          options={[
            { value: '', label: 'An empty home folder' },
            ...snapshots
              .filter(({ status }) => status === 'ready')
              .map(({ id, created_at }) => ({
                value: id,
                label: `Snapshot …${id.slice(-8)} of ${new Date(created_at).toLocaleString()}`,
              })),
          ]}
          onChange={(snapshot) => set({ snapshot })}
        />
        <details>
          <summary>Limits and policy</summary>
          <div className="field-pair">
            {text('memory', 'Memory in MiB', 'Empty: as the server has it.')}
            {text('cpus', 'Processors', 'E.g. 0.5')}
            {text('disk', 'Files in MiB')}
          </div>
          <TextAreaField
            label="Action policy"
            code
            rows={4}
            hint="JSON with the list rules; an action to be asked about is refused here, as nobody is there to answer."
            placeholder='{"rules": []}'
            value={fields.policy}
            problem={shown.policy}
            onChange={(policy) => set({ policy })}
          />
        </details>
        <Problem text={action.problem} />
      </form>
    </Dialog>
  );
}
