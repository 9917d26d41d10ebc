import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { bundling, SOURCE } from './packages.mjs';
import { BootstrapError } from './progress.mjs';
import { writeWhole } from './stamps.mjs';

/** Other people's files that the documentation pages load, by their name under /static, with their licences. */
const DOCS_FILES = [
  ['swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui-bundle.js'],
  ['swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'],
  ['swagger-ui.css', 'swagger-ui-dist/swagger-ui.css'],
  ['swagger-ui.LICENSE.txt', 'swagger-ui-dist/LICENSE'],
  ['swagger-ui.NOTICE.txt', 'swagger-ui-dist/NOTICE'],
  ['oauth2-redirect.js', 'swagger-ui-dist/oauth2-redirect.js'],
  ['redoc.standalone.js', 'redoc/bundles/redoc.standalone.js'],
  ['redoc.standalone.js.LICENSE.txt', 'redoc/bundles/redoc.standalone.js.LICENSE.txt'],
  ['redoc.LICENSE.txt', 'redoc/LICENSE'],
];

/** The VNC client is under the MPL 2.0: its licence goes with it, and says where its source is. */
const NOVNC_FILES = [
  ['novnc.LICENSE.txt', '@novnc/novnc/LICENSE.txt'],
  ['novnc.MPL-2.0.txt', '@novnc/novnc/docs/LICENSE.MPL-2.0'],
  ['novnc.pako.LICENSE.txt', '@novnc/novnc/vendor/pako/LICENSE'],
];

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
    name: 'sandbox member',
    outputs: ['dist/sandbox-member.mjs', 'dist/sandbox-member.mjs.map'],
    make: (root) =>
      bundle(root, {
        ...NODE_ESM,
        entryPoints: ['sandbox/pool-machine/main.ts'],
        outfile: 'dist/sandbox-member.mjs',
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
    name: 'inference worker',
    outputs: ['dist/inference-worker.mjs', 'dist/inference-worker.mjs.map'],
    make: (root) =>
      bundle(root, {
        ...NODE_ESM,
        entryPoints: ['inference/runtime/worker/main.ts'],
        outfile: 'dist/inference-worker.mjs',
      }),
  },
  {
    name: 'inference trial',
    outputs: ['dist/inference-trial.mjs', 'dist/inference-trial.mjs.map'],
    make: (root) =>
      bundle(root, {
        ...NODE_ESM,
        entryPoints: ['inference/runtime/trial/main.ts'],
        outfile: 'dist/inference-trial.mjs',
      }),
  },
  {
    name: 'image decoder',
    outputs: ['dist/image-decoder.mjs', 'dist/image-decoder.mjs.map'],
    make: (root) =>
      bundle(root, {
        ...NODE_ESM,
        entryPoints: ['inference/runtime/decoder/main.ts'],
        outfile: 'dist/image-decoder.mjs',
      }),
  },
  {
    name: 'preprocess',
    outputs: ['dist/preprocess.wasm'],
    make: makePreprocess,
  },
  {
    name: 'web page',
    outputs: ['static/app/main.js', 'static/app/main.css'],
    make: (root) =>
      bundle(root, { ...BROWSER, entryPoints: ['web/main.tsx'], outfile: 'static/app/main.js' }),
  },
  {
    name: 'live screen',
    outputs: ['static/app/live.js', ...NOVNC_FILES.map(([name]) => `static/${name}`)],
    make: makeLiveScreen,
  },
  {
    name: 'documentation pages',
    outputs: [
      'static/app/docs/swagger.js',
      'static/app/docs/docs.css',
      ...DOCS_FILES.map(([name]) => `static/${name}`),
    ],
    make: makeDocs,
  },
];

const NODE = { platform: 'node', target: 'node20.3', logLevel: 'silent' };
export const NODE_ESM = {
  ...NODE,
  format: 'esm',
  alias: { sharp: './scripts/lib/sharp-cjs.mjs' },
  sourcemap: 'linked',
  sourcesContent: false,
};
const BROWSER = {
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  // What runs in a browser holds everything that it needs.
  external: [],
  conditions: [SOURCE, 'module'],
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
    result = await build({
      ...bundling(root),
      ...options,
      absWorkingDir: root,
      metafile: true,
      write: false,
    });
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

/** The preprocessor's inner loops: AssemblyScript to WebAssembly, without a runtime, with nothing past plain SIMD. */
async function makePreprocess(root) {
  const { default: asc } = await import('assemblyscript/asc');
  const output = 'dist/preprocess.wasm';
  const inputs = [];
  const files = new Map();
  const complaints = [];
  // 112: functions that take vectors can only be called from within, which is how they are meant.
  const options = `--outFile ${output} --runtime stub --enable simd --disable relaxed-simd -O3 --converge --noAssert
    --disableWarning 112`;
  const { error } = await asc.main(['inference/preprocess/assembly/index.ts', ...options.split(/\s+/)], {
    baseDir: root,
    stderr: { write: (text) => complaints.push(text) },
    readFile(name) {
      const file = path.join(root, name);
      if (!fs.existsSync(file)) return null;
      inputs.push(name);
      return fs.readFileSync(file, 'utf8');
    },
    writeFile: (name, content) => files.set(name, content),
    listFiles: () => [],
  });
  const binary = files.get(output);
  if (error !== null || binary === undefined) throw new BootstrapError(complaints.join('').trimEnd());
  writeWhole(path.join(root, output), binary);
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
    ...bundling(root),
    absWorkingDir: root,
    platform: 'node',
    format: 'esm',
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
        resolve: {
          ...config.resolve,
          conditionNames: [SOURCE, 'webpack', 'module', 'import', 'require', 'default'],
        },
      }),
    }));
  } catch (error) {
    throw new BootstrapError([...log, error instanceof Error ? error.message : String(error)].join('\n'));
  }
  writeWhole(path.join(root, 'dist/workflow-bundle.js'), code);
  return sources(metafile);
}

/** ReDoc shows its maker's logo from another host. A page of this server asks nothing of one: the picture is empty. */
const REDOC_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_PICTURE = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** Loaded by the page when somebody watches a screen. */
async function makeLiveScreen(root) {
  for (const [name, source] of NOVNC_FILES) {
    writeWhole(path.join(root, 'static', name), fs.readFileSync(path.join(root, 'node_modules', source)));
  }
  const { version } = JSON.parse(
    fs.readFileSync(path.join(root, 'node_modules/@novnc/novnc/package.json'), 'utf8'),
  );
  return bundle(root, {
    ...BROWSER,
    entryPoints: ['web/live/live.ts'],
    outfile: 'static/app/live.js',
    banner: {
      js:
        `/* Contains noVNC ${version}, unchanged, under the MPL 2.0: /static/novnc.LICENSE.txt; its source: ` +
        `the npm package @novnc/novnc@${version}, https://github.com/novnc/noVNC */`,
    },
  });
}

async function makeDocs(root) {
  for (const [name, source] of DOCS_FILES) {
    let content = fs.readFileSync(path.join(root, 'node_modules', source), 'utf8');
    if (name === 'redoc.standalone.js') {
      const parts = content.split(REDOC_LOGO);
      if (parts.length !== 2) throw new BootstrapError(`${source} should name ${REDOC_LOGO} once`);
      content = parts.join(NO_PICTURE);
    }
    // The maps are for those who change these libraries, and are not served.
    writeWhole(path.join(root, 'static', name), content.replace(/\n\/[/*]# sourceMappingURL=.*\s*$/, '\n'));
  }
  return bundle(root, {
    ...BROWSER,
    entryPoints: { swagger: 'web/docs/swagger.ts', docs: 'web/docs/docs.css' },
    outdir: 'static/app/docs',
  });
}
