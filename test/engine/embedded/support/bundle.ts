import { join } from 'node:path';
import { bundleWorkflows } from '../../../support/workflow-bundle.ts';

const WORKFLOWS = join(__dirname, '..', 'workflows', 'index.ts');

let bundle: Promise<{ code: string }> | undefined;

/** The test workflows as a bundle, the same for all tests of a file. */
export function testWorkflowBundle(): Promise<{ code: string }> {
  return (bundle ??= bundleWorkflows(WORKFLOWS) as Promise<{ code: string }>);
}
