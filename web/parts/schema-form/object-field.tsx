import type { ReactElement } from 'react';
import { CheckField } from '../check-field.tsx';
import { initialValue } from './json-schema.ts';
import type { SchemaFieldProps } from './form-context.ts';

interface ObjectFieldProps extends SchemaFieldProps {
  readonly optional: boolean;
  /** What stands for no object. */
  readonly absent: null | undefined;
}

/** The fields of an object. One that may be missing is switched on first. */
export function ObjectField(props: ObjectFieldProps): ReactElement {
  const { label, place, schema, value, onChange, context, optional, absent } = props;
  const isThere = typeof value === 'object' && value !== null;
  const held = (isThere ? value : {}) as Readonly<Record<string, unknown>>;
  const set = (name: string, next: unknown): void => {
    const { [name]: _old, ...others } = held;
    onChange(next === undefined ? others : { ...held, [name]: next });
  };
  const problem = context.faults.get(place);
  // What can only be one thing is no question.
  const asked = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) =>
      !('const' in property && (name === 'type' || schema.required?.includes(name) === true)),
  );
  const fields = asked.map(([name, property]) => (
    <context.Field
      key={name}
      label={context.words?.[name] ?? name}
      place={`${place}/${name}`}
      schema={property}
      value={held[name]}
      onChange={(next) => set(name, next)}
      required={schema.required?.includes(name) === true}
      context={context}
    />
  ));
  if (place === '') return <>{fields}</>;
  return (
    <fieldset className="group-field">
      <legend>{label}</legend>
      {schema.description === undefined ? null : <p className="hint">{schema.description}</p>}
      {optional ? (
        <CheckField
          label={`With ${label}`}
          checked={isThere}
          onChange={(on) =>
            onChange(on ? initialValue({ ...schema, default: undefined }, context.root) : absent)
          }
        />
      ) : null}
      {isThere || !optional ? fields : null}
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </fieldset>
  );
}
