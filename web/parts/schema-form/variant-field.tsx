import type { ReactElement } from 'react';
import { SelectField } from '../fields.tsx';
import type { SchemaFieldProps } from './form-context.ts';
import { initialValue, type JsonSchema } from './json-schema.ts';
import { ObjectField } from './object-field.tsx';

interface VariantFieldProps extends SchemaFieldProps {
  readonly variants: ReadonlyMap<string, JsonSchema>;
  readonly optional: boolean;
  /** What stands for none. */
  readonly absent: null | undefined;
}

/** An object of one of several types: first the type, then what such an object has. */
export function VariantField(props: VariantFieldProps): ReactElement {
  const { label, place, schema, value, onChange, context, variants, optional, absent } = props;
  const held = typeof value === 'object' && value !== null ? (value as { readonly type?: unknown }) : {};
  const type = typeof held.type === 'string' ? held.type : '';
  const variant = variants.get(type);
  const choose = (next: string): void => {
    const chosen = variants.get(next);
    onChange(chosen === undefined ? absent : initialValue(chosen, context.root));
  };
  const names = [...variants.keys()];
  const choice = (
    <SelectField
      label={label}
      hint={schema.description}
      problem={context.faults.get(place)}
      required={!optional}
      value={type}
      options={[
        ...(optional || variant === undefined ? [{ value: '', label: '(none)' }] : []),
        ...names.map((name) => ({ value: name, label: context.words?.[name] ?? name })),
      ]}
      onChange={choose}
    />
  );
  const hasMore = Object.keys(variant?.properties ?? {}).some((name) => name !== 'type');
  if (variant === undefined || !hasMore) return choice;
  return (
    <>
      {choice}
      <ObjectField
        {...props}
        label={`${label}: ${context.words?.[type] ?? type}`}
        schema={variant}
        optional={false}
      />
    </>
  );
}
