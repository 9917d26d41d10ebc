import { activity, machineWorkflow } from '@steadyhand/statechart/workflow';
import { sessionMachine } from './machine.ts';

/** Attempts follow each other at once at first: an attempt lost with its server costs the heartbeat timeout and no more. */
const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;

/** Long work: lives by its heartbeat, so that it is missed within seconds and may run for hours. */
const lively = { startToCloseTimeout: '6 hours', heartbeatTimeout: '2s', retry } as const;

/** Short work on the log. */
const brief = { startToCloseTimeout: '2s', retry } as const;

/** The agent session's workflow, one for each session, under the id `session/<session id>`. */
export const session = machineWorkflow(sessionMachine, {
  actors: {
    recall: activity('recall', { ...brief, startToCloseTimeout: '1 minute' }),
    requestModel: activity('requestModel', lively),
    runTool: activity('runTool', lively),
    // A computer that does not answer is given up: whoever interrupts is not kept waiting for it.
    interruptTool: activity('interruptTool', {
      startToCloseTimeout: '5s',
      retry: { ...retry, maximumAttempts: 2 },
    }),
    look: activity('look', { ...brief, startToCloseTimeout: '30s', heartbeatTimeout: '2s' }),
    appendResult: activity('appendResult', brief),
    takeOver: activity('takeOver', { ...lively, startToCloseTimeout: '25 hours' }),
    resumeTurn: activity('resumeTurn', brief),
    // What the agent has left for the user is collected first, however much it is.
    endTurn: activity('endTurn', lively),
    failTurn: activity('failTurn', lively),
  },
});
