import type { Extension } from '@codemirror/state';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { messageOf } from '../client/request.ts';
import type { CodeEditing, CodeLanguage } from './code-mirror.ts';
import { Loading } from './loading.tsx';
import { Problem } from './problem.tsx';

interface CodeEditorProps {
  readonly label: string;
  readonly code: string;
  readonly language: CodeLanguage;
  /** Left out for code that is only to be read. */
  readonly onChange?: (code: string) => void;
  /** Loads what the language has of its own: completion, errors. Another function opens the editor anew. */
  readonly extras?: (() => Promise<Extension>) | undefined;
}

/** Shows or edits code with line numbers, colours and search. The editor is loaded when the first one is shown. */
export function CodeEditor({ label, code, language, onChange, extras }: CodeEditorProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const editing = useRef<CodeEditing>(undefined);
  const newest = useRef({ code, onChange });
  newest.current = { code, onChange };
  const [state, setState] = useState<'loading' | 'open'>('loading');
  const [problem, setProblem] = useState<string>();
  const readOnly = onChange === undefined;

  useEffect(() => {
    let gone = false;
    const open = async (): Promise<void> => {
      const [{ editCode }, own] = await Promise.all([import('./code-mirror.ts'), extras?.()]);
      if (gone || host.current === null) return;
      editing.current = editCode(host.current, {
        label,
        language,
        readOnly,
        code: newest.current.code,
        onChange: (text) => newest.current.onChange?.(text),
        extras: own,
      });
      setState('open');
    };
    open().catch((error: unknown) => setProblem(messageOf(error)));
    return () => {
      gone = true;
      editing.current?.close();
      editing.current = undefined;
    };
  }, [label, language, readOnly, extras]);
  useEffect(() => editing.current?.show(code), [code, state]);

  return (
    <div className="code-editor">
      {state === 'loading' ? <Loading label={`${label}: loading`} /> : null}
      <Problem text={problem} />
      <div ref={host} className="code-host" />
    </div>
  );
}
