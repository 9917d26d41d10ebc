import { type ReactElement, type ReactNode, useState } from 'react';
import { messageOf } from '../../client/request.ts';
import { TextAreaField } from '../fields.tsx';
import { UnreadableJson } from './faults.ts';
import type { FormContext } from './form-context.ts';

interface JsonFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly place: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly context: FormContext;
}

/** A value written as JSON. */
export function JsonField({ label, hint, place, value, onChange, context }: JsonFieldProps): ReactElement {
  const [draft, setDraft] = useState({ of: value, text: textOf(value) });
  const text = draft.of === value ? draft.text : textOf(value);
  const change = (next: string): void => {
    const read = parsed(next);
    setDraft({ of: read, text: next });
    context.touch(place);
    onChange(read);
  };
  return (
    <TextAreaField
      code
      label={label}
      hint={hint}
      rows={Math.max(3, Math.min(16, text.split('\n').length + 1))}
      problem={context.faults.get(place)}
      placeholder="JSON"
      value={text}
      onChange={change}
    />
  );
}

function textOf(value: unknown): string {
  if (value instanceof UnreadableJson) return value.text;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return new UnreadableJson(text, messageOf(error));
  }
}
