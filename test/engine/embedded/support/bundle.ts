import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const WORKFLOWS = join(__dirname, '..', 'workflows', 'index.ts');

/**
 * The test workflows as a bundle. Bundling takes seconds, so it is done once for each content of the workflows file and
 * kept on disk for all test files and runs.
 */
export async function testWorkflowBundle(): Promise<{ code: string }> {
  const source = readFileSync(WORKFLOWS, 'utf8');
  const version = readFileSync(require.resolve('@temporalio/worker/package.json'), 'utf8');
  const hash = createHash('sha256').update(source).update(version).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), 'steadyhand-test-bundles');
  const path = join(folder, `${hash}.js`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const { code } = await bundleWorkflowCode({
      workflowsPath: WORKFLOWS,
      logger: new DefaultLogger('ERROR'),
    });
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, code);
    renameSync(draft, path);
  }
  return { code: readFileSync(path, 'utf8') };
}
