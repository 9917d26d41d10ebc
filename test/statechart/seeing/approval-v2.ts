import { machineWorkflow } from '../../../statechart/workflow/index.ts';
import { second } from './approval.ts';

/** A worker that has forgotten the first machine. */
export const approval = machineWorkflow(second);
