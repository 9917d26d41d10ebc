import type { ActionRequest } from '../protocol.ts';

/**
 * Whether an action only looks. Such a one may be repeated after a crash, so it needs no intent; its outcome is recorded all
 * the same, so that a retry sees what the first call saw.
 */
export function isPureRead({ tool, input }: Pick<ActionRequest, 'tool' | 'input'>): boolean {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Readonly<
    Record<string, unknown>
  >;
  if (tool.type.startsWith('computer_')) {
    return ['screenshot', 'cursor_position', 'zoom'].includes(String(fields['action']));
  }
  return tool.type.startsWith('text_editor_') && fields['command'] === 'view';
}
