import type { ReactElement } from 'react';
import type { Faults } from './faults.ts';
import type { JsonSchema } from './json-schema.ts';

/** What all fields of a form share. */
export interface FormContext {
  readonly root: JsonSchema;
  /** Those that are shown. */
  readonly faults: Faults;
  /** The person has been at this place: what is wrong there is said from now on. */
  readonly touch: (place: string) => void;
  /** What members are called in the form, by their names; by default that name itself. */
  readonly words?: Readonly<Record<string, string>>;
  /** The field for any value: those that hold others (lists, objects) are inside it and hold it. */
  readonly Field: (props: SchemaFieldProps) => ReactElement;
}

export interface SchemaFieldProps {
  readonly label: string;
  /** A JSON pointer. */
  readonly place: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  /** `undefined` leaves the value out. */
  readonly onChange: (value: unknown) => void;
  readonly required: boolean;
  readonly context: FormContext;
}
