import type { Agent } from '../client/api.ts';

export type Tool = Agent['tools'][number];

const FAMILIES: Readonly<Record<string, string>> = {
  computer: 'Computer',
  computer_toolset: 'Computer toolset',
  text_editor: 'Text editor',
  bash: 'Shell',
  agent_toolset: 'Agent toolset',
};

/** `computer_20251124` as `Computer, 2025-11-24`; what has no generation by its name. */
export function toolTitle(type: string): string {
  if (type === 'custom') return 'Custom tool';
  const [, family = type, year, month, day] = /^(.+)_(\d{4})(\d\d)(\d\d)$/.exec(type) ?? [];
  const word = FAMILIES[family] ?? family;
  return year === undefined ? word : `${word}, ${year}-${month}-${day}`;
}

/** Types of tools in the order in which they are offered: one's own last, of a family the newest first. */
export function offered(types: readonly string[]): readonly string[] {
  const rank = (type: string): string => (type === 'custom' ? '' : (/_(\d{8})$/.exec(type)?.[1] ?? '0'));
  return types.toSorted((one, other) => (rank(one) < rank(other) ? 1 : -1));
}

/** The words of the form and of what it makes. */
export const WORDS: Readonly<Record<string, string>> = {
  always_allow: 'Allowed always',
  always_ask: 'Asks a person first',
  permission_policy: 'Permission',
  display_width_px: 'Screen width in pixels',
  display_height_px: 'Screen height in pixels',
  display_number: 'X11 display',
  enable_zoom: 'May zoom',
  max_characters: 'Most characters of a file that a view shows',
  configs: 'Settings of its members',
  input_schema: 'Input (JSON Schema)',
  name: 'Name',
  description: 'Description',
  rules: 'Rules',
  match: 'What it is about',
  decision: 'Decision',
  message: 'Message to the model',
  allow: 'Allow',
  ask: 'Ask a person',
  deny: 'Deny',
  tool: 'Tool',
  action: 'Action',
  command: 'Command matches',
  path: 'Path',
  text: 'Text matches',
  window_title: 'Window title matches',
  host: 'Host',
  url: 'Address matches',
  effort: 'Effort',
  speed: 'Speed',
  inference_geo: 'Region',
  enabled: 'Enabled',
  defer_loading: 'Loaded when asked for',
};
