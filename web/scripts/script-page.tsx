import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { readItem, writeItem } from '../client/saved.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import { FormPage, FormPart } from '../parts/form-page.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useAction } from '../parts/use-action.ts';
import { DEMO_SCRIPTS } from '../start/scripts.ts';
import { startDemo } from '../start/start-demo.ts';
import { ScriptField } from './script-field.tsx';

/** Where the browser keeps the script that is being written. */
const DRAFT = 'steadyhand-script';

const FIRST = `- bash: echo hello > note.txt
- bash: mousepad note.txt >/dev/null 2>&1 &
- wait_for: hello
- say: The note is open.
`;

function errorsFound(problems: number | undefined): string {
  if (problems === undefined) return 'Not checked yet';
  if (problems === 0) return 'No errors';
  return problems === 1 ? '1 error' : `${problems} errors`;
}

/** Writes a script and runs it as a session: real tools, without a language model. */
export function ScriptPage(): ReactElement {
  const { demo } = useSearch({ from: '/scripts' });
  const found = DEMO_SCRIPTS.find(({ name }) => name === demo);
  return <Editor key={demo ?? ''} demo={found} />;
}

function Editor({ demo }: { readonly demo: (typeof DEMO_SCRIPTS)[number] | undefined }): ReactElement {
  const navigate = useNavigate({ from: '/scripts' });
  const action = useAction();
  const [title, setTitle] = useState(demo?.title ?? 'My script');
  const [steps, setSteps] = useState(() => demo?.steps ?? readItem(DRAFT) ?? FIRST);
  // Not known before the editor is there and has checked the script.
  const [problems, setProblems] = useState<number>();
  const change = (next: string): void => {
    setSteps(next);
    if (demo === undefined) writeItem(DRAFT, next);
  };
  const start = async (): Promise<void> => {
    const { scriptProblems } = await import('@steadyhand/messages/script');
    const [first] = scriptProblems(steps);
    if (first !== undefined) throw new Error(`The script cannot run: ${first.message}.`);
    const { id } = await startDemo({
      title: title.trim() === '' ? 'My script' : title.trim(),
      steps,
      ...(demo?.policy === undefined ? {} : { policy: demo.policy }),
    });
    await navigate({ to: '/sessions/$id', params: { id } });
  };
  return (
    <>
      <PageHeader
        title="Write a script"
        back={{ to: '/', label: 'Start' }}
        facts={<span>An agent without a language model follows it, step by step, on a real desktop.</span>}
      />
      <FormPage
        action={action}
        verb="Run"
        onSubmit={() => {
          action.run(start);
          return true;
        }}
        beside={
          <span role="status" className={problems ? 'field-problem' : 'quiet'}>
            {errorsFound(problems)}
          </span>
        }
      >
        <FormPart title="Script">
          <SelectField
            label="Begin with"
            value={demo?.name ?? ''}
            options={[
              { value: '', label: 'My own' },
              ...DEMO_SCRIPTS.map(({ name, title: label }) => ({ value: name as string, label })),
            ]}
            onChange={(next) => void navigate({ search: next === '' ? {} : { demo: next } })}
          />
          <ScriptField label="Steps" value={steps} onChange={change} onCheck={setProblems} />
          <TextField
            label="Title"
            value={title}
            onChange={setTitle}
            hint="By what people find the session."
          />
        </FormPart>
      </FormPage>
    </>
  );
}
