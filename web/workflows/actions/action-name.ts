import type { ApiAnswer } from '../../client/api.ts';

export type Workflow = ApiAnswer<'GET /v1/workflows/{workflow_id}'>;
export type ActionName = keyof Workflow['actions'];
export type MessageName = 'signal' | 'update' | 'query';

export const ACTION_WORDS = {
  signal: 'Signal',
  update: 'Update',
  query: 'Query',
  cancel: 'Cancel',
  terminate: 'Terminate',
  reset: 'Reset',
} as const satisfies Record<ActionName, string>;
