import { findTool, type Offer } from './decision.ts';
import type { PlannedUse } from './script.ts';

type Planned = Pick<PlannedUse, 'need' | 'input'>;

/** For each command of the editor, the agent toolset's member and its names for the fields. */
const EDITS: Readonly<
  Record<string, { readonly name: string; readonly fields: Readonly<Record<string, string>> }>
> = {
  view: { name: 'read', fields: { path: 'file_path', view_range: 'view_range' } },
  create: { name: 'write', fields: { path: 'file_path', file_text: 'content' } },
  str_replace: {
    name: 'edit',
    fields: { path: 'file_path', old_str: 'old_string', new_str: 'new_string' },
  },
};

/**
 * Adapts a step's use to the offered tools. Where there is no provider-defined shell or editor, the members of the
 * agent toolset, which are tools with the names `bash`, `read`, `write` and `edit`, replace them. An `edit` may also be
 * in their form.
 */
export function asOffered({ need, input }: Planned, offer: Offer): Planned {
  if ('name' in need || need.family === 'computer' || findTool(need, offer) !== undefined)
    return { need, input };
  const standIn = need.family === 'bash' ? { name: 'bash', input } : edited(input);
  if (standIn === null || findTool({ name: standIn.name }, offer) === undefined) return { need, input };
  return { need: { name: standIn.name }, input: standIn.input };
}

/** Translates a command of the editor; null where the toolset has no member for it. */
function edited(input: Planned['input']): { readonly name: string; readonly input: Planned['input'] } | null {
  const { command, ...given } = input;
  if (command === undefined) return { name: 'edit', input };
  const form = typeof command === 'string' && Object.hasOwn(EDITS, command) ? EDITS[command] : undefined;
  if (form === undefined) return null;
  const { name, fields } = form;
  const renamed = Object.entries(given).map(([field, value]) => [fields[field] ?? field, value] as const);
  return { name, input: { ...(name === 'edit' ? { new_string: '' } : {}), ...Object.fromEntries(renamed) } };
}
