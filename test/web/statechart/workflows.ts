import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { z } from 'zod';
import { approval } from '../../../examples/approval/workflows.ts';
import { batch } from '../../../examples/fan-out/workflows.ts';
import { activity, machineWorkflow } from '../../../statechart/workflow/index.ts';
import { chartMachine, largeMachine } from './machines.ts';

/** What the worker of these tests runs. */
export { approval, batch };

export const player = machineWorkflow(chartMachine, {
  // It fails and is tried again after an hour, so that the chart stands still.
  actors: {
    loader: activity('fail', {
      startToCloseTimeout: '1 minute',
      retry: { initialInterval: '1 hour', maximumAttempts: 3 },
    }),
  },
  events: {
    SKIP: z.object({ type: z.literal('SKIP'), songs: z.number().int().min(1).describe('How many') }),
    MUTE: z.strictObject({ type: z.literal('MUTE') }),
  },
});

/** A workflow that takes its events by signals alone, as those do that the library has not made. */
export async function lamp(): Promise<void> {
  const toggle = defineSignal<[{ readonly type: string }]>('send');
  setHandler(toggle, () => undefined);
  await condition(() => false);
}

export const large = machineWorkflow(largeMachine(300));
