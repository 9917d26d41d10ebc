import type { CustomTool } from '../api/api-types.ts';

/** A tool in the form that every model knows: a name, a description and a JSON schema of the input. */
export interface ToolFunction {
  readonly name: string;
  readonly description: string;
  readonly input_schema: CustomTool['input_schema'];
}

/** A JSON schema of one property, with no more than every server for local models understands. */
export type PropertySchema = Readonly<Record<string, unknown>>;

/** A JSON schema of an input: an object that must have the `required` properties. */
export function objectSchema(
  properties: Readonly<Record<string, PropertySchema>>,
  required: readonly string[] = [],
): CustomTool['input_schema'] {
  return { type: 'object', properties, required: [...required] };
}

export const text = (description: string): PropertySchema => ({ type: 'string', description });

export const choice = (values: readonly string[], description: string): PropertySchema => ({
  type: 'string',
  enum: [...values],
  description,
});

export const wholeNumber = (description: string, minimum: number, maximum?: number): PropertySchema => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
  description,
});

/** A list of `length` whole numbers, such as a point or a region. */
export const integers = (length: number, description: string): PropertySchema => ({
  type: 'array',
  items: { type: 'integer' },
  minItems: length,
  maxItems: length,
  description,
});

export const seconds = (description: string, maximum: number): PropertySchema => ({
  type: 'number',
  minimum: 0,
  maximum,
  description,
});
