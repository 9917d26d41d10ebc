import { activity, machineWorkflow } from '@steadyhand/statechart/workflow';
import { approvalMachine } from './machine.ts';

export const approval = machineWorkflow(approvalMachine, {
  actors: { remind: activity('remind', { startToCloseTimeout: '10s' }) },
});
