import { type ActionRequest, AGENT_TOOLSET } from '@steadyhand/contracts';
import { isReadOnly } from '../../tools/toolset/toolset.ts';

const READ_ONLY: ReadonlySet<string> = new Set([
  'screenshot',
  'cursor_position',
  'zoom',
  'wait',
  'clipboard_read',
]);

/**
 * Whether an action only reads. It may be repeated after a crash, so it needs no intent; its outcome is recorded all
 * the same, so that a retry sees what the first call saw.
 */
export function isPureRead({ tool, input }: Pick<ActionRequest, 'tool' | 'input'>): boolean {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Readonly<
    Record<string, unknown>
  >;
  if (tool.type.startsWith('computer_')) {
    const action = tool.type.startsWith('computer_toolset_') ? tool.name : fields['action'];
    return READ_ONLY.has(String(action));
  }
  if (tool.type === AGENT_TOOLSET) return isReadOnly(tool.name);
  return tool.type.startsWith('text_editor_') && fields['command'] === 'view';
}
