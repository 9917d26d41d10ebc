import { activity, machineWorkflow } from '@steadyhand/statechart/workflow';
import { orderMachine } from './machine.ts';

/** A step is tried three times; what undoes one is tried until it works, because nothing comes after it. */
const step = { startToCloseTimeout: '10s', retry: { maximumAttempts: 3, initialInterval: '100ms' } } as const;
const undoing = { startToCloseTimeout: '10s', retry: { initialInterval: '100ms' } } as const;

export const order = machineWorkflow(orderMachine, {
  actors: {
    reserve: activity('reserve', step),
    charge: activity('charge', step),
    ship: activity('ship', step),
    refund: activity('refund', undoing),
    release: activity('release', undoing),
  },
});
