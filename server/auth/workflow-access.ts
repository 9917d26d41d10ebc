import type { Response } from 'express';
import { ApiError } from '@steadyhand/contracts';
import { clientOf, DEFAULT_KEY_NAME } from './client-key.ts';

/**
 * What a key may do with the workflows of the namespace. They are more than the server's own sessions: on a cluster, everything
 * that runs there. So a key of the keys file has to be given it.
 */
export const WORKFLOW_ACCESS = ['none', 'read', 'act'] as const;
export type WorkflowAccess = (typeof WORKFLOW_ACCESS)[number];

/** `API_KEY`, and whoever is let in without a key, are the operator. */
export function workflowAccessOf(res: Response): WorkflowAccess {
  const key = clientOf(res);
  if (key === undefined || key.name === DEFAULT_KEY_NAME) return 'act';
  return key.workflows ?? 'none';
}

/** @throws {ApiError} `permission_error` where the key may not */
export function requireWorkflowAccess(res: Response, needed: 'read' | 'act'): void {
  const given = workflowAccessOf(res);
  if (given === 'act' || given === needed) return;
  const verb = needed === 'read' ? 'read' : 'act on';
  throw new ApiError(
    'permission_error',
    `This key may not ${verb} workflows: its entry in the keys file needs workflows: ${needed}`,
  );
}

/** Who acts, as histories name it. */
export function actorOf(res: Response): { readonly identity: string } {
  const key = clientOf(res);
  return { identity: key === undefined ? 'steadyhand' : `steadyhand key ${key.name}` };
}
