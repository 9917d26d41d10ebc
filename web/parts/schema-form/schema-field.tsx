import type { ReactElement } from 'react';
import { CheckField } from '../check-field.tsx';
import { SelectField } from '../fields.tsx';
import { ArrayField } from './array-field.tsx';
import type { SchemaFieldProps } from './form-context.ts';
import { JsonField } from './json-field.tsx';
import { type JsonSchema, shapeOf } from './json-schema.ts';
import { fitsOnLines, LinesField } from './lines-field.tsx';
import { ObjectField } from './object-field.tsx';
import { NumberField, WordsField } from './text-fields.tsx';
import { VariantField } from './variant-field.tsx';

/** The field for one value, by its schema. */
export function SchemaField(props: SchemaFieldProps): ReactElement {
  const { label, place, schema: given, value, onChange, required, context } = props;
  const { kind, schema, nullable, choices, variants } = shapeOf(given, context.root);
  const hint = schema.description;
  const problem = context.faults.get(place);
  const optional = !required || nullable;
  const absent = nullable ? null : undefined;
  const name = schema.title ?? label;
  switch (kind) {
    case 'boolean':
      return <CheckField {...{ label: name, hint, problem, onChange }} checked={value === true} />;
    case 'choice':
      return (
        <SelectField
          {...{ label: name, hint, problem, required: !optional }}
          value={value === undefined || value === null ? '' : JSON.stringify(value)}
          options={[
            ...(optional || value === undefined ? [{ value: '', label: '(none)' }] : []),
            ...choices.map((choice) => ({
              value: JSON.stringify(choice),
              label: wordOf(choice, context.words),
            })),
          ]}
          onChange={(text) => onChange(text === '' ? absent : JSON.parse(text))}
        />
      );
    case 'text':
      return (
        <WordsField
          {...{ label: name, hint, problem, required: !optional, value, place, context }}
          absent={optional ? absent : ''}
          lines={schema.contentMediaType?.startsWith('text/') === true}
          onChange={onChange}
        />
      );
    case 'number':
    case 'integer':
      return (
        <NumberField
          {...{ label: name, hint, problem, required: !optional, value, place, context }}
          absent={absent}
          onChange={onChange}
        />
      );
    case 'array':
      if (fitsOnLines(schema, value))
        return <LinesField {...props} label={name} schema={schema} required={!optional} />;
      return <ArrayField {...props} label={name} schema={schema} required={!optional} />;
    case 'variant':
      return (
        <VariantField
          {...{ ...props, schema, optional, absent, label: name, variants: variants ?? NO_VARIANTS }}
        />
      );
    case 'object':
      return <ObjectField {...props} label={name} schema={schema} optional={optional} absent={absent} />;
    case 'json':
      return (
        <JsonField
          label={name}
          hint={hint}
          place={place}
          value={value}
          onChange={onChange}
          context={context}
        />
      );
  }
}

const NO_VARIANTS: ReadonlyMap<string, JsonSchema> = new Map();

function wordOf(choice: unknown, words: Readonly<Record<string, string>> = {}): string {
  return typeof choice === 'string' ? (words[choice] ?? choice) : JSON.stringify(choice);
}
