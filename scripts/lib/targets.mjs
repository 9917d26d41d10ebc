import { builtinModules } from 'node:module';
import path from 'node:path';
import { BootstrapError } from './progress.mjs';
import { writeWhole } from './stamps.mjs';

/**
 * What is built, from what. A target's `make` writes its outputs and answers with the files it read (relative to the
 * root, packages left out: the lockfile stands for those).
 *
 * The tools (esbuild, webpack) are imported inside `make`, so that finding out that nothing is stale loads none.
 */
export const TARGETS = [
  {
    name: 'server',
    outputs: ['dist/main.mjs', 'dist/main.mjs.map'],
    make: (root) => bundle(root, { ...NODE_ESM, entryPoints: ['app/main.ts'], outfile: 'dist/main.mjs' }),
  },
  {
    name: 'sandbox daemon',
    outputs: ['dist/sandbox-daemon.mjs', 'dist/sandbox-daemon.mjs.map'],
    make: (root) =>
      bundle(root, {
        ...NODE_ESM,
        entryPoints: ['sandbox/daemon/main.ts'],
        outfile: 'dist/sandbox-daemon.mjs',
      }),
  },
  {
    name: 'sandbox guest',
    outputs: ['dist/sandbox-guest.cjs'],
    make: makeGuest,
  },
  {
    name: 'workflows',
    outputs: ['dist/workflow-bundle.js'],
    make: makeWorkflowBundle,
  },
  {
    name: 'web page',
    outputs: ['static/app/main.js', 'static/app/main.css'],
    make: (root) =>
      bundle(root, { ...BROWSER, entryPoints: ['web/main.tsx'], outfile: 'static/app/main.js' }),
  },
];

const NODE = { bundle: true, platform: 'node', target: 'node20.3', logLevel: 'silent' };
const NODE_ESM = {
  ...NODE,
  format: 'esm',
  packages: 'external',
  alias: { sharp: './scripts/lib/sharp-cjs.mjs' },
  sourcemap: 'linked',
  sourcesContent: false,
};
const BROWSER = {
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  minify: true,
  legalComments: 'linked',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'silent',
};

async function bundle(root, options) {
  const { build, formatMessages } = await import('esbuild');
  let result;
  try {
    result = await build({ ...options, absWorkingDir: root, metafile: true, write: false });
  } catch (error) {
    const messages = await formatMessages(error.errors ?? [], { kind: 'error', color: false });
    throw messages.length === 0 ? error : new BootstrapError(messages.join('\n').trimEnd());
  }
  for (const file of result.outputFiles) writeWhole(file.path, file.contents);
  return Object.assign(sources(result.metafile), { metafile: result.metafile });
}

function sources(metafile) {
  return Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'));
}

/** The guest runs inside a sandbox, where this product's packages do not exist: Node's own modules only. */
async function makeGuest(root) {
  const inputs = await bundle(root, {
    ...NODE,
    format: 'cjs',
    packages: 'external',
    entryPoints: ['sandbox/guest/main.ts'],
    outfile: 'dist/sandbox-guest.cjs',
  });
  const foreign = Object.values(inputs.metafile.outputs)
    .flatMap((output) => output.imports)
    .map(({ path: name }) => name)
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  if (foreign.length > 0) {
    throw new BootstrapError(`sandbox/guest may import Node's own modules only, not ${foreign.join(', ')}`);
  }
  return inputs;
}

/**
 * The workflows as Temporal's sandbox loads them. XState's development build is left out (it writes warnings and
 * registers inspectors), names and lines are kept: a stack trace from a workflow is read by people.
 */
async function makeWorkflowBundle(root) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: ['workflows/index.ts'],
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    metafile: true,
    write: false,
    outfile: 'unused.mjs',
    logLevel: 'silent',
  });
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const log = [];
  let code;
  try {
    ({ code } = await bundleWorkflowCode({
      workflowsPath: path.join(root, 'workflows/index.ts'),
      logger: new DefaultLogger('WARN', ({ message }) => log.push(message)),
      webpackConfigHook: (config) => ({
        ...config,
        mode: 'production',
        optimization: {
          ...config.optimization,
          minimize: false,
          concatenateModules: false,
          moduleIds: 'named',
        },
        performance: { ...config.performance, hints: false },
        resolve: { ...config.resolve, conditionNames: ['webpack', 'module', 'import', 'require', 'default'] },
      }),
    }));
  } catch (error) {
    throw new BootstrapError([...log, error instanceof Error ? error.message : String(error)].join('\n'));
  }
  writeWhole(path.join(root, 'dist/workflow-bundle.js'), code);
  return sources(metafile);
}
