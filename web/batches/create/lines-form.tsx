import { FileJson } from 'lucide-react';
import { type FormEvent, type ReactElement, useRef, useState } from 'react';
import { TextAreaField } from '../../parts/fields.tsx';
import { FileDrop } from '../../parts/file-drop.tsx';
import { formatBytes, formatCount } from '../../parts/format.ts';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../parts/use-action.ts';
import { CreateButton } from './create-button.tsx';
import { FaultList } from './fault-list.tsx';
import { type CheckedLines, checkLines, MOST_REQUESTS } from './lines.ts';
import { useCreate } from './use-create.ts';

const EXAMPLE =
  '{"custom_id": "first", "params": {"model": "script", "max_tokens": 100, "messages": [{"role": "user", "content": "- say: hello"}]}}';

/** Lines of JSON, from a file or typed. Every line is checked before anything is sent. */
export function LinesForm(): ReactElement {
  const creating = useCreate();
  const reading = useAction();
  const [text, setText] = useState('');
  const [source, setSource] = useState<string>();
  const [checked, setChecked] = useState<CheckedLines>();
  /** Counts what was given to be checked: an answer about an earlier text is out of date. */
  const newest = useRef(0);
  const check = (name: string | undefined, bytes: Blob): void => {
    const mine = (newest.current += 1);
    setSource(name);
    reading.run(async () => {
      const found = await checkLines(bytes);
      if (mine === newest.current) setChecked(found);
    });
  };
  const count = checked?.faulty === 0 ? checked.requests.length : 0;
  const tooMany = count > MOST_REQUESTS;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (checked !== undefined && count > 0 && !tooMany) creating.create(checked.requests);
  };
  return (
    <form className="batch-form" onSubmit={submit}>
      <FileDrop
        small={checked !== undefined}
        icon={<FileJson size={28} aria-hidden />}
        text="Drop a file of JSON lines on this page, or"
        choose="choose one"
        accept=".jsonl,.ndjson,.json,application/x-jsonl"
        onFiles={([file]) => {
          if (file === undefined) return;
          setText('');
          check(`${file.name}, ${formatBytes(file.size)}`, file);
        }}
      />
      {source === undefined ? (
        <TextAreaField
          label="Lines"
          code
          rows={8}
          placeholder={EXAMPLE}
          hint="A request a line: custom_id is a name of yours, params a body of POST /v1/messages."
          value={text}
          onChange={(next) => {
            setText(next);
            check(undefined, new Blob([next]));
          }}
        />
      ) : (
        <p>
          <strong>{source}</strong>{' '}
          <button
            type="button"
            className="as-link"
            onClick={() => {
              setSource(undefined);
              setChecked(undefined);
            }}
          >
            Take it away
          </button>
        </p>
      )}
      <Problem text={reading.problem} />
      {checked === undefined ? null : (
        <p role="status">
          {checked.requests.length + checked.faulty === 0
            ? 'There are no requests yet.'
            : `${formatCount(checked.requests.length)} ${checked.requests.length === 1 ? 'line is' : 'lines are'} right, ${formatCount(checked.faulty)} not.`}
        </p>
      )}
      <Problem text={tooMany ? `A batch has at most ${formatCount(MOST_REQUESTS)} requests.` : undefined} />
      {checked === undefined ? null : <FaultList checked={checked} />}
      <CreateButton creating={creating} count={tooMany ? 0 : count} />
    </form>
  );
}
