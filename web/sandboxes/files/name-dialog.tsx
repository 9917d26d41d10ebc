import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';

export interface Naming {
  readonly title: string;
  readonly name: string;
  readonly verb: string;
  readonly act: (name: string) => Promise<void>;
}

interface NameDialogProps {
  readonly naming: Naming;
  readonly onClose: () => void;
}

/** Asks for a name. */
export function NameDialog({ naming, onClose }: NameDialogProps): ReactElement {
  const id = useId();
  const action = useAction();
  const [name, setName] = useState(naming.name);
  const problem = name.includes('/') ? 'A name has no slash in it.' : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name === '' || problem !== undefined) return;
    action.run(async () => {
      await naming.act(name);
      onClose();
    });
  };
  return (
    <Dialog
      open
      title={naming.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" form={id} busy={action.busy} disabled={name === ''}>
            {naming.verb}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit}>
        <TextField label="Name" value={name} problem={problem} onChange={setName} />
        <Problem text={action.problem} />
      </form>
    </Dialog>
  );
}
