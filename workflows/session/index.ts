import { activity, machineWorkflow } from '@steadyhand/statechart/workflow';
import { sessionMachine } from './machine.ts';

/** The first retries come at once: an attempt that is lost with its worker costs the heartbeat timeout and no more. */
const retry = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const;

/** Long work sends heartbeats, so that a lost worker is noticed within seconds although the work may take hours. */
const long = { startToCloseTimeout: '6 hours', heartbeatTimeout: '2s', retry } as const;

/** Short work on the event log. */
const short = { startToCloseTimeout: '2s', retry } as const;

/** The agent session's workflow, one for each session, under the id `session/<session id>`. */
export const session = machineWorkflow(sessionMachine, {
  actors: {
    recall: activity('recall', { ...short, startToCloseTimeout: '1 minute' }),
    requestModel: activity('requestModel', long),
    runTool: activity('runTool', long),
    // A sandbox that does not answer is given up, so that whoever interrupts is not kept waiting.
    interruptTool: activity('interruptTool', {
      startToCloseTimeout: '5s',
      retry: { ...retry, maximumAttempts: 2 },
    }),
    look: activity('look', { ...short, startToCloseTimeout: '30s', heartbeatTimeout: '2s' }),
    // Between two long steps, and done in milliseconds: as a local activity it costs no trips to Temporal.
    appendResult: activity('appendResult', short, { startToCloseTimeout: '1s' }),
    takeOver: activity('takeOver', { ...long, startToCloseTimeout: '25 hours' }),
    resumeTurn: activity('resumeTurn', short),
    // These two collect the files that the agent has left first, however large they are.
    endTurn: activity('endTurn', long),
    failTurn: activity('failTurn', long),
  },
  // Runs from before machines were recorded. Two states of theirs had other names.
  unidentified: sessionMachine,
  migrate: { states: { 'failed.telling': 'failed.reporting', 'failed.told': 'failed.reported' } },
});
