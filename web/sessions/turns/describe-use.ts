import type { ToolUse } from './event-types.ts';

/** What says what a use does. `toolset_name` is given for a toolset's member. */
export type NamedUse = Pick<ToolUse, 'name' | 'input'> & { readonly toolset_name?: string | null };

/** By tool of the agent toolset, the input field that says what a use is about. */
const SUBJECTS: Readonly<Record<string, string>> = {
  read: 'file_path',
  write: 'file_path',
  edit: 'file_path',
  glob: 'pattern',
  grep: 'pattern',
  web_fetch: 'url',
};

/** One line that says what a tool use does, e.g. `echo hello` or `left click at 12, 30`. */
export function describeUse(use: NamedUse): string {
  const { name, input } = use;
  const text = (key: string): string | undefined => {
    const value: unknown = input[key];
    return typeof value === 'string' ? value : undefined;
  };
  if (name === 'bash') return input['restart'] === true ? 'restart the shell' : (text('command') ?? name);
  const subject = SUBJECTS[name];
  if (subject !== undefined) return text(subject) ?? name;
  if (name === 'str_replace_editor' || name.startsWith('str_replace_based'))
    return `${text('command') ?? 'edit'} ${text('path') ?? ''}`.trim();
  const action = actionOf(use);
  if (action === undefined) return name;
  const point: unknown = input['coordinate'];
  const where = Array.isArray(point) ? ` at ${point.join(', ')}` : '';
  const what = text('text');
  return `${action.replaceAll('_', ' ')}${where}${what === undefined ? '' : ` “${what}”`}`;
}

/** What a use of the computer does: the input's `action`, or the name of the computer toolset's member. */
export function actionOf({ name, toolset_name, input }: NamedUse): string | undefined {
  if (toolset_name?.startsWith('computer') === true) return name;
  const action: unknown = input['action'];
  return typeof action === 'string' ? action : undefined;
}
