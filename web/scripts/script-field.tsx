import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useCallback, useRef } from 'react';
import { formSchema } from '../client/schemas.ts';
import { CodeEditor } from '../parts/code-editor.tsx';

interface ScriptFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (script: string) => void;
  /** Told after each check how many errors there are. */
  readonly onCheck?: (problems: number) => void;
  readonly problem?: string | undefined;
}

/** An editor for scripts: it offers what may be written, and marks what is wrong. */
export function ScriptField({ label, value, onChange, onCheck, problem }: ScriptFieldProps): ReactElement {
  const { data: schema, isPending } = useQuery(formSchema('script'));
  const newest = useRef(onCheck);
  newest.current = onCheck;
  const extras = useCallback(async () => {
    const { scriptExtensions } = await import('./script-extensions.ts');
    return scriptExtensions(schema, (problems) => newest.current?.(problems));
  }, [schema]);
  return (
    <div className="field script-field">
      <span className="field-name" aria-hidden="true">
        {label}
      </span>
      {isPending ? null : (
        <CodeEditor label={label} code={value} language="yaml" onChange={onChange} extras={extras} />
      )}
      <p className="hint">
        A YAML list of steps. <kbd>Ctrl</kbd> <kbd>Space</kbd> shows what may be written, <kbd>F8</kbd> goes
        to the next error.
      </p>
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </div>
  );
}
