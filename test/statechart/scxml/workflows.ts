import { rowWorkflow } from '../behaviour/row-workflow.ts';
import { scxmlRows } from './scxml-rows.ts';

// A worker runs by its default export what it finds no other export for.
// oxlint-disable-next-line import/no-default-export
export default rowWorkflow(scxmlRows);
