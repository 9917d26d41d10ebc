import { machineWorkflow } from '../../../statechart/workflow/index.ts';
import { first, second } from './approval.ts';

export const approval = machineWorkflow(second, {
  versions: [first],
  migrate: {
    states: { waiting: 'open' },
    context: (context) => ({ ...(context as { notes: number }), reviewer: 'ann' }),
  },
});
