import { type ReactElement, useState } from 'react';
import { TextAreaField } from '../fields.tsx';
import { isAlone } from './faults.ts';
import type { SchemaFieldProps } from './form-context.ts';

/** A list of texts, one on each line. */
export function LinesField(props: SchemaFieldProps): ReactElement {
  const { label, place, schema, value, onChange, required, context } = props;
  const [draft, setDraft] = useState({ of: value, text: textOf(value) });
  const text = draft.of === value ? draft.text : textOf(value);
  const change = (next: string): void => {
    const lines = next.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    const list = lines.length === 0 && !required ? undefined : lines;
    setDraft({ of: list, text: next });
    context.touch(place);
    onChange(list);
  };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const problems = [...context.faults].flatMap(([at, problem]) => {
    if (at === place) return [problem];
    const index = at.startsWith(`${place}/`) ? Number(at.slice(place.length + 1)) : undefined;
    return index === undefined ? [] : [`“${lines[index] ?? index + 1}”: ${problem}`];
  });
  return (
    <TextAreaField
      code
      label={label}
      hint={schema.description ?? 'One on each line.'}
      rows={Math.max(2, Math.min(10, lines.length + 1))}
      problem={problems.length === 0 ? undefined : problems.join(' ')}
      required={required}
      value={text}
      onChange={change}
    />
  );
}

/** Whether each text of a list fits on a line. */
export function fitsOnLines(schema: SchemaFieldProps['schema'], value: unknown): boolean {
  if (schema.items?.type !== 'string' || schema.items.enum !== undefined) return false;
  if (value === undefined || value === null || isAlone(schema.items, value)) return true;
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\n'));
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : typeof value === 'string' ? value : '';
}
