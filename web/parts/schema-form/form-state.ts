import { useMemo, useState } from 'react';
import { type Faults, faultsOf } from './faults.ts';
import type { FormContext } from './form-context.ts';
import type { JsonSchema } from './json-schema.ts';
import { SchemaField } from './schema-field.tsx';
import { type ServerFault, serverFault } from './server-fault.ts';

export interface FormState<T> {
  readonly value: T;
  /** All that the schema finds. */
  readonly faults: Faults;
  /** For the fields: it holds the faults that are shown, those of places where somebody was and those that the server told. */
  readonly context: FormContext;
  readonly set: (value: T) => void;
  /** Shows all faults, and answers whether there are none. */
  readonly check: () => boolean;
  /** Shows a refusal of the server at its place; answers false for one that has no place in the form. */
  readonly refuse: (message: string) => boolean;
}

/** A value that is being written by the fields of a form, and what is wrong with it. */
export function useFormState<T>(
  root: JsonSchema,
  initial: () => T,
  words?: Readonly<Record<string, string>>,
): FormState<T> {
  const [value, setValue] = useState<T>(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [all, setAll] = useState(false);
  const [told, setTold] = useState<ServerFault>();
  const faults = useMemo(() => faultsOf(root, value), [root, value]);
  const shown = useMemo(() => {
    const own = [...faults].filter(([place]) => all || touched.has(place));
    return new Map([...own, ...(told === undefined ? [] : [[told.place, told.text] as const])]);
  }, [faults, all, touched, told]);
  return {
    value,
    faults,
    context: {
      root,
      faults: shown,
      Field: SchemaField,
      touch: (place) => setTouched((before) => new Set([...before, place])),
      ...(words === undefined ? {} : { words }),
    },
    set: (next) => {
      setTold(undefined);
      setValue(next);
    },
    check: () => {
      setAll(true);
      setTold(undefined);
      return faults.size === 0;
    },
    refuse: (message) => {
      const fault = serverFault(message, Object.keys(root.properties ?? {}));
      setTold(fault);
      return fault !== undefined;
    },
  };
}
