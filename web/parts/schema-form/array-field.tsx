import { Plus, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../button.tsx';
import { IconButton } from '../icon-button.tsx';
import { isAlone } from './faults.ts';
import { initialValue } from './json-schema.ts';
import type { SchemaFieldProps } from './form-context.ts';

/** A list of a fixed length, such as a place: a field for each entry, named as the description names them in brackets. */
function FixedField({
  label,
  place,
  schema,
  value,
  onChange,
  required,
  context,
}: SchemaFieldProps): ReactElement {
  const length = schema.minItems ?? 0;
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const items = Array.from({ length }, (_, index) => given[index] ?? undefined);
  const names = /^\[([\w, ]+)\]/.exec(schema.description ?? '')?.[1]?.split(', ') ?? [];
  const problem = context.faults.get(place);
  const replace = (index: number, next: unknown): void => {
    const changed = items.map((old, at) => (at === index ? next : old) ?? null);
    onChange(!required && changed.every((each) => each === null) ? undefined : changed);
  };
  return (
    <fieldset className="group-field">
      <legend>{label}</legend>
      {schema.description === undefined ? null : <p className="hint">{schema.description}</p>}
      <div className="fixed-items">
        {items.map((held, index) => (
          <context.Field
            key={index}
            label={names.length === length ? (names[index] ?? '') : `${label} ${index + 1}`}
            place={`${place}/${index}`}
            schema={schema.items ?? {}}
            value={held}
            onChange={(next) => replace(index, next)}
            required={required}
            context={context}
          />
        ))}
      </div>
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </fieldset>
  );
}

/** A list, with buttons that add an entry and take one away. */
export function ArrayField(props: SchemaFieldProps): ReactElement {
  const { label, place, schema, value, onChange, required, context } = props;
  if (schema.minItems !== undefined && schema.minItems === schema.maxItems) return <FixedField {...props} />;
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : isAlone(schema.items, value)
      ? [value]
      : [];
  const item = schema.items ?? {};
  const problem = context.faults.get(place);
  const absent = required ? [] : undefined;
  const put = (next: readonly unknown[]): void => onChange(next.length === 0 ? absent : next);
  const replace = (index: number, next: unknown): void =>
    onChange(items.map((old, at) => (at === index ? (next === undefined ? null : next) : old)));
  return (
    <fieldset className="group-field">
      <legend>{label}</legend>
      {schema.description === undefined ? null : <p className="hint">{schema.description}</p>}
      {items.map((held, index) => (
        <div className="item" key={index}>
          <context.Field
            label={`${label} ${index + 1}`}
            place={`${place}/${index}`}
            schema={item}
            value={held}
            onChange={(next) => replace(index, next)}
            required
            context={context}
          />
          <IconButton
            icon={X}
            label={`Remove ${label} ${index + 1}`}
            onClick={() => put(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          onClick={() => onChange([...items, initialValue(item, context.root) ?? emptyOf(item.type)])}
        >
          <Plus size={14} aria-hidden />
          Add
        </Button>
      </div>
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </fieldset>
  );
}

function emptyOf(type: string | readonly string[] | undefined): unknown {
  return type === 'string' ? '' : type === 'object' ? {} : null;
}
