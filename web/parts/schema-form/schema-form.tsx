import { type ReactElement, useState } from 'react';
import { JsonField } from './json-field.tsx';
import type { Faults } from './faults.ts';
import { useFormState } from './form-state.ts';
import { initialValue, type JsonSchema, shapeOf } from './json-schema.ts';
import { SchemaField } from './schema-field.tsx';

export interface SchemaForm {
  /** The value so far; send it once `check` says that it may be sent. */
  readonly value: unknown;
  readonly faults: Faults;
  /** Shows all faults, and answers whether there are none. */
  readonly check: () => boolean;
  /** The fields, to be put into a form of the caller's. */
  readonly fields: ReactElement;
  readonly set: (value: unknown) => void;
}

/**
 * A form for a value that a schema describes, with what is wrong beside each field. Without a schema, or for what no field fits,
 * the value is written as JSON.
 *
 * @example
 * const form = useSchemaForm('Arguments', schema);
 * <form onSubmit={() => form.check() && send(form.value)}>{form.fields}</form>
 */
export function useSchemaForm(label: string, schema: JsonSchema | undefined, initial?: unknown): SchemaForm {
  const root = schema ?? NO_SCHEMA;
  const [raw, setRaw] = useState(false);
  const { value, faults, context, set, check } = useFormState<unknown>(
    root,
    () => initial ?? initialValue(root),
  );
  const isRaw = raw || shapeOf(root, root).kind === 'json';
  const fields = (
    <div className="schema-form">
      {isRaw ? (
        <JsonField
          label={label}
          place=""
          value={value}
          onChange={set}
          context={{ ...context, faults: worded(context.faults) }}
        />
      ) : (
        <SchemaField
          label={label}
          place=""
          schema={root}
          value={value}
          onChange={set}
          required
          context={context}
        />
      )}
      {shapeOf(root, root).kind === 'json' ? null : (
        <button type="button" className="as-json" onClick={() => setRaw(!raw)}>
          {raw ? 'Fill in the form' : 'Write it as JSON'}
        </button>
      )}
    </div>
  );
  return { value, faults, fields, set, check };
}

const NO_SCHEMA: JsonSchema = {};

/** All faults at the one field that there is. */
function worded(faults: Faults): Faults {
  const lines = [...faults].map(([place, text]) => (place === '' ? text : `${place}: ${text}`));
  return new Map(lines.length === 0 ? [] : [['', lines.join(' ')]]);
}
