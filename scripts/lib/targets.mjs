import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { bundling, SOURCE } from './packages.mjs';
import { BootstrapError } from './progress.mjs';
import { writeWhole } from './stamps.mjs';

/**
 * The libraries' files that the documentation pages load, by their names under /static, with their licences.
 * @type {readonly (readonly [name: string, source: string])[]}
 */
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

/**
 * The licence of the VNC client, which is under the MPL 2.0 and says where its source is.
 * @type {readonly (readonly [name: string, source: string])[]}
 */
const NOVNC_FILES = [
  ['novnc.LICENSE.txt', '@novnc/novnc/LICENSE.txt'],
  ['novnc.MPL-2.0.txt', '@novnc/novnc/docs/LICENSE.MPL-2.0'],
  ['novnc.pako.LICENSE.txt', '@novnc/novnc/vendor/pako/LICENSE'],
];

/**
 * Something that is built. `make` writes the outputs and answers with the files that it read, relative to the root and without
 * those of npm packages, which the lockfile stands for. It imports the tools (esbuild, webpack) itself, so that none of them is
 * loaded when nothing is stale.
 * @typedef {object} Target
 * @property {string} name
 * @property {readonly string[]} outputs
 * @property {(root: string) => Promise<readonly string[]>} make
 */

/** @type {readonly Target[]} */
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

/** @satisfies {import('esbuild').BuildOptions} */
const NODE = /** @type {const} */ ({ platform: 'node', target: 'node20.3', logLevel: 'silent' });
/** @type {import('esbuild').BuildOptions} */
export const NODE_ESM = {
  ...NODE,
  format: 'esm',
  alias: { sharp: './scripts/lib/sharp-cjs.mjs' },
  sourcemap: 'linked',
  sourcesContent: false,
};
/** @type {import('esbuild').BuildOptions} */
const BROWSER = {
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  // A bundle for the browser contains all its packages.
  external: [],
  conditions: [SOURCE, 'module'],
  jsx: 'automatic',
  minify: true,
  legalComments: 'linked',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'silent',
};

/**
 * Bundles entry points with esbuild; answers with the sources and esbuild's account of them.
 * @param {string} root
 * @param {import('esbuild').BuildOptions} options
 */
async function bundle(root, options) {
  const { build, formatMessages } = await import('esbuild');
  const whole = /** @type {const} */ ({ absWorkingDir: root, metafile: true, write: false });
  const result = await build({ ...bundling(root), ...options, ...whole }).catch(async (error) => {
    const { errors = [] } = /** @type {Partial<import('esbuild').BuildFailure>} */ (error);
    const messages = await formatMessages(errors, { kind: 'error', color: false });
    throw messages.length === 0 ? error : new BootstrapError(messages.join('\n').trimEnd());
  });
  for (const file of result.outputFiles) writeWhole(file.path, file.contents);
  return Object.assign(sources(result.metafile), { metafile: result.metafile });
}

/** @param {import('esbuild').Metafile} metafile */
function sources(metafile) {
  return Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'));
}

/**
 * Bundles the guest, which may use Node's own modules only, because a sandbox has none of this product's packages.
 * @param {string} root
 */
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

/**
 * Compiles the preprocessor's inner loops from AssemblyScript to WebAssembly, without a runtime and with plain SIMD only.
 * @param {string} root
 */
async function makePreprocess(root) {
  const { default: asc } = await import('assemblyscript/asc');
  const output = 'dist/preprocess.wasm';
  /** @type {string[]} */
  const inputs = [];
  /** @type {Map<string, Uint8Array | string>} */
  const files = new Map();
  /** @type {string[]} */
  const complaints = [];
  // Warning 112 says that functions with vector parameters can only be called from within the module, which is intended.
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
 * Bundles the workflows as Temporal's sandbox loads them. XState's development build is left out, because it writes warnings and
 * registers inspectors. Names and lines are kept, because people read stack traces of workflows.
 * @param {string} root
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
  /** @type {string[]} */
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

/** ReDoc loads a logo from another host, which a page of this server must not do, so the picture is replaced by an empty one. */
const REDOC_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_PICTURE = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/**
 * Bundles the VNC client, which the page loads when somebody watches a screen.
 * @param {string} root
 */
async function makeLiveScreen(root) {
  for (const [name, source] of NOVNC_FILES) {
    writeWhole(path.join(root, 'static', name), fs.readFileSync(path.join(root, 'node_modules', source)));
  }
  const manifest = fs.readFileSync(path.join(root, 'node_modules/@novnc/novnc/package.json'), 'utf8');
  const { version } = /** @type {{ version: string }} */ (JSON.parse(manifest));
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

/** @param {string} root */
async function makeDocs(root) {
  for (const [name, source] of DOCS_FILES) {
    let content = fs.readFileSync(path.join(root, 'node_modules', source), 'utf8');
    if (name === 'redoc.standalone.js') {
      const parts = content.split(REDOC_LOGO);
      if (parts.length !== 2) throw new BootstrapError(`${source} should name ${REDOC_LOGO} once`);
      content = parts.join(NO_PICTURE);
    }
    // The source maps are for those who change these libraries, and are not served.
    writeWhole(path.join(root, 'static', name), content.replace(/\n\/[/*]# sourceMappingURL=.*\s*$/, '\n'));
  }
  return bundle(root, {
    ...BROWSER,
    entryPoints: { swagger: 'web/docs/swagger.ts', docs: 'web/docs/docs.css' },
    outdir: 'static/app/docs',
  });
}
