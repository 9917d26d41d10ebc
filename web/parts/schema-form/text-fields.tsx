import { type ReactElement, type ReactNode, useState } from 'react';
import { TextAreaField, TextField } from '../fields.tsx';
import type { FormContext } from './form-context.ts';

interface TextFieldsProps {
  readonly label: string;
  readonly hint: ReactNode;
  readonly problem: string | undefined;
  readonly required: boolean;
  readonly value: unknown;
  readonly place: string;
  readonly context: FormContext;
  /** What an empty field stands for. */
  readonly absent: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A text of one line, or of several where that is usual or once it has them. */
export function WordsField({
  lines,
  value,
  place,
  context,
  absent,
  onChange,
  ...field
}: TextFieldsProps & { readonly lines: boolean }): ReactElement {
  const text = typeof value === 'string' ? value : '';
  const change = (next: string): void => onChange(next === '' ? absent : next);
  if (lines || text.includes('\n') || text.length > 120)
    return <TextAreaField {...field} code={lines} value={text} onChange={change} />;
  return <TextField {...field} value={text} onChange={change} onBlur={() => context.touch(place)} />;
}

/** A number. What is no number yet stays as it was typed. */
export function NumberField({
  value,
  place,
  context,
  absent,
  onChange,
  ...field
}: TextFieldsProps): ReactElement {
  const shown = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const [draft, setDraft] = useState({ of: value, text: shown });
  const change = (text: string): void => {
    const number = Number(text);
    const next = text.trim() === '' ? absent : Number.isFinite(number) ? number : text;
    setDraft({ of: next, text });
    onChange(next);
  };
  return (
    <TextField
      {...field}
      inputMode="decimal"
      value={draft.of === value ? draft.text : shown}
      onChange={change}
      onBlur={() => context.touch(place)}
    />
  );
}
