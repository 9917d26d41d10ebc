import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundle } from '@temporalio/worker';
import { bundling } from './bundling.ts';

const ROOT = path.resolve(__dirname, '../..');
const CACHE = path.join(ROOT, '.tmp/workflow-bundles');

/**
 * Bundles a test's workflows as the product's are: XState in its production build. Kept on disk by content, because
 * webpack takes seconds and most runs change no workflow.
 *
 * @param alias Packages to take in place of others.
 */
export async function bundleWorkflows(
  workflowsPath: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<WorkflowBundle> {
  const file = path.join(CACHE, `${contentHash(workflowsPath, alias)}.js`);
  try {
    return { code: readFileSync(file, 'utf8') };
  } catch {
    const bundle = await bundleWorkflowCode({
      workflowsPath,
      logger: new DefaultLogger('ERROR'),
      webpackConfigHook: (config) => ({
        ...config,
        resolve: {
          ...config.resolve,
          alias: { ...(config.resolve?.alias as Record<string, string> | undefined), ...alias },
          conditionNames: [
            '@steadyhand/source',
            'webpack',
            'production',
            'module',
            'import',
            'require',
            'default',
          ],
        },
      }),
    });
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
