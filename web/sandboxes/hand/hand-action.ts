import type { ApiAnswer } from '../../client/api.ts';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';

export type ToolAction = ApiAnswer<'GET /v1/sandboxes/{id}/tools'>['data'][number];

/** The tools as people know them. */
export const GROUPS = ['computer', 'bash', 'editor'] as const;
export type Group = (typeof GROUPS)[number];

export function groupOf({ tool: { type } }: Pick<ToolAction, 'tool'>): Group {
  if (type.startsWith('bash')) return 'bash';
  return type.startsWith('text_editor') ? 'editor' : 'computer';
}

/** How an action is named in the address. */
export function nameOf(action: Pick<ToolAction, 'tool' | 'action'>): string {
  return `${groupOf(action)}.${action.action}`;
}

interface FormOfAction {
  /** What a person fills in. */
  readonly schema: JsonSchema;
  /** What the input holds whatever is filled in. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** An action's schema without what can have one value alone. */
export function formOf(schema: JsonSchema): FormOfAction {
  const entries = Object.entries(schema.properties ?? {});
  const open = entries.filter(([, property]) => !('const' in property));
  const fixed = entries.flatMap(([name, property]) =>
    'const' in property ? [[name, property.const] as const] : [],
  );
  const names = new Set(open.map(([name]) => name));
  return {
    schema: {
      ...schema,
      type: 'object',
      properties: Object.fromEntries(open),
      required: (schema.required ?? []).filter((name) => names.has(name)),
    },
    fixed: Object.fromEntries(fixed),
  };
}

/** The field that a click on the screen fills next: the place, of a drag first where it begins. */
export function pointedField(schema: JsonSchema, input: unknown): string | undefined {
  const places = ['start_coordinate', 'coordinate'].filter((name) => schema.properties?.[name] !== undefined);
  const held = (input ?? {}) as Readonly<Record<string, unknown>>;
  return places.find((name) => placeOf(held[name]) === undefined) ?? places[0];
}

export function placeOf(value: unknown): { readonly x: number; readonly y: number } | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y] = value as readonly unknown[];
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
}
