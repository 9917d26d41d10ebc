import { machineWorkflow } from '@steadyhand/statechart/workflow';
import { lightMachine } from './machine.ts';

/** Without `continueAsNew` a run goes on until the server suggests a new one, after thousands of events. Here one sees it happen. */
export const light = machineWorkflow(lightMachine, { continueAsNew: { after: 40 } });
