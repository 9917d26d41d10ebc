import { activity, machineWorkflow } from '@steadyhand/statechart/workflow';
import { batchMachine } from './machine.ts';

const options = {
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 2, initialInterval: '100ms' },
} as const;

export const batch = machineWorkflow(batchMachine, { actors: { convert: activity('convert', options) } });
