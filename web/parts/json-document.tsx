import { type ReactElement, useState } from 'react';
import { messageOf } from '../client/request.ts';
import { CodeEditor } from './code-editor.tsx';

interface JsonDocumentProps {
  readonly label: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Called with each text that is a JSON object. */
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  /** Called with whether the text is one. */
  readonly onReadable: (readable: boolean) => void;
  /** What is wrong with it otherwise, each with its place. */
  readonly problems: readonly string[];
}

/** A whole value written as JSON, as the other way to a form. */
export function JsonDocument({
  label,
  value,
  onChange,
  onReadable,
  problems,
}: JsonDocumentProps): ReactElement {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [fault, setFault] = useState<string>();
  const change = (next: string): void => {
    setText(next);
    const reason = read(next, onChange);
    setFault(reason);
    onReadable(reason === undefined);
  };
  const told = fault === undefined ? problems : [fault];
  return (
    <div className="json-document">
      <CodeEditor label={label} code={text} language="json" onChange={change} />
      <ul className="plain field-problem" role="status" aria-label={`Problems of ${label}`}>
        {told.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}

function read(text: string, onChange: JsonDocumentProps['onChange']): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'Expected a JSON object.';
    onChange(value as Readonly<Record<string, unknown>>);
    return undefined;
  } catch (error) {
    return `This is no JSON: ${messageOf(error)}`;
  }
}
