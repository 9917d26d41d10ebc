import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import type { Step } from '../chart/step.ts';

/** What a form asks of an event whose type is known: its schema without the type. Undefined where there is no schema. */
export function payloadSchema(schema: unknown): JsonSchema | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { properties = {}, required = [], ...rest } = schema as JsonSchema;
  const { type: _, ...fields } = properties;
  return { ...rest, properties: fields, required: required.filter((name) => name !== 'type') };
}

/** Whether an event is nothing but its type, so that there is nothing to ask. */
export const isBare = (schema: JsonSchema | undefined): boolean =>
  schema !== undefined &&
  Object.keys(schema.properties ?? {}).length === 0 &&
  schema.additionalProperties !== true;

/** What the last event of this type held, to begin with where no schema says what belongs into it. */
export function lastPayload(steps: readonly Step[], type: string): Readonly<Record<string, unknown>> {
  const last = steps.findLast(({ cause }) => cause.event?.type === type)?.cause.event;
  const { type: _, ...rest } = last ?? { type };
  return rest;
}
