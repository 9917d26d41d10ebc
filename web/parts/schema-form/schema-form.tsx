import { type ReactElement, useMemo, useState } from 'react';
import { JsonField } from './json-field.tsx';
import { type Faults, faultsOf } from './faults.ts';
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
  const [value, setValue] = useState<unknown>(() => initial ?? initialValue(root));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [raw, setRaw] = useState(false);
  const faults = useMemo(() => faultsOf(root, value), [root, value]);
  const shown = all ? faults : new Map([...faults].filter(([place]) => touched.has(place)));
  const isRaw = raw || shapeOf(root, root).kind === 'json';
  const context = {
    root,
    faults: shown,
    Field: SchemaField,
    touch: (place: string) => setTouched((before) => new Set([...before, place])),
  };
  const fields = (
    <div className="schema-form">
      {isRaw ? (
        <JsonField
          label={label}
          place=""
          value={value}
          onChange={setValue}
          context={{ ...context, faults: all ? worded(faults) : shown }}
        />
      ) : (
        <SchemaField
          label={label}
          place=""
          schema={root}
          value={value}
          onChange={setValue}
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
  return {
    value,
    faults,
    fields,
    set: setValue,
    check: () => {
      setAll(true);
      return faults.size === 0;
    },
  };
}

const NO_SCHEMA: JsonSchema = {};

/** All faults at the one field that there is. */
function worded(faults: Faults): Faults {
  const lines = [...faults].map(([place, text]) => (place === '' ? text : `${place}: ${text}`));
  return new Map(lines.length === 0 ? [] : [['', lines.join(' ')]]);
}
