import type { ActionRequest } from '@steadyhand/contracts';
import { invalidRequest } from './invalid-request.ts';

/** Checks what came as an action's tool. Throws SandboxError `invalid_request`. */
export function checkTool(tool: unknown): ActionRequest['tool'] {
  const { type, name } = (typeof tool === 'object' && tool !== null ? tool : {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof name !== 'string') {
    throw invalidRequest('tool: expected an object with the strings type and name');
  }
  return tool as ActionRequest['tool'];
}
