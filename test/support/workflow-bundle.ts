import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import { buildSync } from 'esbuild';
import { fromAllWorkflows } from './all-workflows.ts';
import { bundled } from './bundled.ts';
import { bundling } from './bundling.ts';
import { ROOT } from './workflow-files.ts';

const CACHE = path.join(ROOT, '.tmp/workflow-bundles');

/**
 * A test's workflows as a bundle. Kept on disk by content, because most runs change no workflow.
 *
 * @param alias Packages to take in place of others.
 */
export async function bundleWorkflows(
  workflowsPath: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<WorkflowBundle> {
  const part = Object.keys(alias).length === 0 ? fromAllWorkflows(workflowsPath) : undefined;
  if (part !== undefined) return part;
  const file = path.join(CACHE, `${contentHash(workflowsPath, alias)}.js`);
  try {
    return { code: readFileSync(file, 'utf8') };
  } catch {
    const bundle = await bundled(workflowsPath, alias);
    mkdirSync(CACHE, { recursive: true });
    const partial = `${file}.${process.pid}`;
    writeFileSync(partial, bundle.code);
    renameSync(partial, file);
    return bundle;
  }
}

/** Of everything the workflows import from this repository, and of the packages' versions. */
function contentHash(workflowsPath: string, alias: Readonly<Record<string, string>>): string {
  const { metafile } = buildSync({
    entryPoints: [workflowsPath],
    platform: 'node',
    ...bundling(),
    metafile: true,
    write: false,
    outfile: 'unused.js',
    logLevel: 'silent',
  });
  const hash = createHash('sha256').update(readFileSync(path.join(ROOT, 'package-lock.json')));
  hash.update(path.relative(ROOT, workflowsPath)).update(JSON.stringify(alias));
  for (const input of Object.keys(metafile.inputs).toSorted()) {
    hash.update(input).update(readFileSync(path.join(ROOT, input)));
  }
  return hash.digest('hex').slice(0, 32);
}
