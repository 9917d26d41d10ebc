import { rowWorkflow } from './row-workflow.ts';
import { rows } from './rows/index.ts';

// A worker runs by its default export what it finds no other export for.
// oxlint-disable-next-line import/no-default-export
export default rowWorkflow(rows);
