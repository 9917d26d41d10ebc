import { actionOf, type NamedUse } from '../turns/describe-use.ts';
import type { ToolUse } from '../turns/event-types.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A tool use as it is shown, read from its input; what cannot be read is shown as JSON. */
export type ShownUse =
  | { readonly kind: 'pointer'; readonly action: string; readonly to: Place; readonly from?: Place }
  | { readonly kind: 'keys'; readonly keys: string }
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'screen'; readonly action: string }
  | { readonly kind: 'terminal'; readonly command: string | undefined }
  | { readonly kind: 'edit'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly from: number }
  | { readonly kind: 'grep'; readonly pattern: string }
  | { readonly kind: 'glob'; readonly pattern: string }
  | { readonly kind: 'fetch'; readonly url: string }
  | { readonly kind: 'other' };

type Input = ToolUse['input'];

const OTHER = { kind: 'other' } as const;

/** Tells by a tool's name and input what a use is. */
export function shownUse(use: NamedUse): ShownUse {
  const { name, input } = use;
  switch (name) {
    case 'bash':
      return { kind: 'terminal', command: text(input, 'command') };
    case 'str_replace_editor':
    case 'str_replace_based_edit_tool':
      return editorUse(input);
    case 'read':
      return fileUse(text(input, 'file_path'), input);
    case 'write':
      return writeUse(text(input, 'file_path'), text(input, 'content'));
    case 'edit':
      return editUse(text(input, 'file_path'), text(input, 'old_string'), text(input, 'new_string'));
    case 'grep':
    case 'glob': {
      const pattern = text(input, 'pattern');
      return pattern === undefined ? OTHER : { kind: name, pattern };
    }
    case 'web_fetch': {
      const url = text(input, 'url');
      return url === undefined ? OTHER : { kind: 'fetch', url };
    }
    default:
      return computerUse(actionOf(use), input);
  }
}

function editorUse(input: Input): ShownUse {
  const path = text(input, 'path');
  switch (input['command']) {
    case 'view':
      return fileUse(path, input);
    case 'create':
      return writeUse(path, text(input, 'file_text'));
    case 'str_replace':
      return editUse(path, text(input, 'old_str'), text(input, 'new_str') ?? '');
    case 'insert':
      return editUse(path, '', text(input, 'new_str') ?? text(input, 'insert_text'));
    default:
      return OTHER;
  }
}

function fileUse(path: string | undefined, input: Input): ShownUse {
  const range: unknown = input['view_range'];
  const from: unknown = Array.isArray(range) ? range[0] : 1;
  return path === undefined ? OTHER : { kind: 'file', path, from: typeof from === 'number' ? from : 1 };
}

function writeUse(path: string | undefined, content: string | undefined): ShownUse {
  return path === undefined || content === undefined ? OTHER : { kind: 'write', path, text: content };
}

function editUse(path: string | undefined, before: string | undefined, after: string | undefined): ShownUse {
  const complete = path !== undefined && before !== undefined && after !== undefined;
  return complete ? { kind: 'edit', path, before, after } : OTHER;
}

const PICTURES: ReadonlySet<string> = new Set(['screenshot', 'zoom', 'wait', 'cursor_position']);

function computerUse(action: string | undefined, input: Input): ShownUse {
  if (action === undefined) return OTHER;
  const to = place(input['coordinate']);
  const from = place(input['start_coordinate']);
  if (to !== undefined) return { kind: 'pointer', action, to, ...(from === undefined ? {} : { from }) };
  const typed = text(input, 'text');
  if (action === 'type' && typed !== undefined) return { kind: 'typed', text: typed };
  if ((action === 'key' || action === 'hold_key') && typed !== undefined)
    return { kind: 'keys', keys: typed };
  return PICTURES.has(action) || /click|mouse|scroll/.test(action) ? { kind: 'screen', action } : OTHER;
}

function text(input: Input, field: string): string | undefined {
  const value: unknown = input[field];
  return typeof value === 'string' ? value : undefined;
}

function place(value: unknown): Place | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y] = value as readonly unknown[];
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined;
}
