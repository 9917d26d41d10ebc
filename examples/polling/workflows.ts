import { activity, machineWorkflow } from '@steadyhand/statechart/workflow';
import { pollingMachine } from './machine.ts';

/** The machine itself tries again, so an attempt that fails is not repeated below it. */
const options = { startToCloseTimeout: '10s', retry: { maximumAttempts: 1 } } as const;

export const polling = machineWorkflow(pollingMachine, { actors: { look: activity('look', options) } });
