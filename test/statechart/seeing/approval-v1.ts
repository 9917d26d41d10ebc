import { machineWorkflow } from '../../../statechart/workflow/index.ts';
import { first } from './approval.ts';

export const approval = machineWorkflow(first, { continueAsNew: { after: 20 } });
