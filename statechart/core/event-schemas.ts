import type { AnyStateMachine } from 'xstate';

/** A schema of the Standard Schema interface, such as zod's, as far as it is used here. */
export interface EventSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    /** Of the interface Standard JSON Schema, for libraries that have it. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: 'draft-2020-12' }) => unknown }
      | undefined;
  };
}

/** Schemas by event type: of the whole event, with its `type`. */
export type EventSchemas = Readonly<Record<string, EventSchema>>;

/** JSON schemas by event type. */
export type JsonSchemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** XState's own place for schemas, `setup({ schemas: { events } })`. */
export function machineSchemas(machine: AnyStateMachine): EventSchemas {
  const { schemas } = machine as { readonly schemas?: { readonly events?: unknown } };
  const events = schemas?.events;
  if (typeof events !== 'object' || events === null) return {};
  return Object.fromEntries(Object.entries(events).filter(([, schema]) => isSchema(schema))) as EventSchemas;
}

/** What the schemas say, as JSON. One that has no form in JSON, such as that of a date, is left out. */
export function jsonSchemas(schemas: EventSchemas): JsonSchemas {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([type, schema]) => {
      const json = jsonSchema(schema);
      return json === undefined ? [] : [[type, json]];
    }),
  );
}

function jsonSchema(schema: EventSchema): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
    return typeof json === 'object' && json !== null
      ? (JSON.parse(JSON.stringify(json)) as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

const isSchema = (value: unknown): value is EventSchema =>
  typeof value === 'object' && value !== null && '~standard' in value;
