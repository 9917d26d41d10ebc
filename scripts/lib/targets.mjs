import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { bundling, SOURCE } from './packages.mjs';
import { BootstrapError } from './progress.mjs';
import { writeWhole } from './stamps.mjs';
import { temporalPlugin } from './temporal-plugin.mjs';

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
 * @property {(root: string) => Promise<Made>} make
 */
/**
 * What was read, and what was written beside the target's outputs because its names are known only once it is made.
 * @typedef {readonly string[] & { readonly made?: readonly string[] }} Made
 */

/** @type {readonly Target[]} */
export const TARGETS = [
  {
    name: 'server',
    outputs: ['dist/main.mjs', 'dist/main.mjs.map'],
    make: makeServer,
  },
  nodeProgram('health check', 'app/healthcheck.ts', 'dist/healthcheck.mjs'),
  nodeProgram('sandbox daemon', 'sandbox/daemon/main.ts', 'dist/sandbox-daemon.mjs'),
  nodeProgram('sandbox member', 'sandbox/pool-machine/main.ts', 'dist/sandbox-member.mjs'),
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
  nodeProgram('inference worker', 'inference/runtime/worker/main.ts', 'dist/inference-worker.mjs'),
  nodeProgram('inference trial', 'inference/runtime/trial/main.ts', 'dist/inference-trial.mjs'),
  nodeProgram('image decoder', 'inference/runtime/decoder/main.ts', 'dist/image-decoder.mjs'),
  {
    name: 'preprocess',
    outputs: ['dist/preprocess.wasm'],
    make: makePreprocess,
  },
  {
    name: 'web page',
    outputs: ['static/app/main.js', 'static/app/main.css', 'static/app/theme.js'],
    make: makePage,
  },
  {
    name: 'live screen',
    outputs: ['static/app/live.js', ...NOVNC_FILES.map(([name]) => `static/${name}`)],
    make: makeLiveScreen,
  },
  {
    name: 'chart layout',
    outputs: ['static/app/elk-worker.js', 'static/elk.LICENSE.txt'],
    make: makeChartLayout,
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

/**
 * A program for Node that esbuild bundles.
 * @type {(name: string, entry: string, outfile: string) => Target}
 */
function nodeProgram(name, entry, outfile) {
  return {
    name,
    outputs: [outfile, `${outfile}.map`],
    make: (root) => bundle(root, { ...NODE_ESM, entryPoints: [entry], outfile }),
  };
}

/**
 * The packages that the server loads from node_modules: those with native code, those that start threads from files of theirs, and
 * `long`, which another one asks for by itself and has to be the same. All others are bundled, as opening a thousand files was a
 * third of a start.
 */
const LOADED = [
  'libsql',
  'long',
  'onnxruntime-node',
  'pino',
  // Looks at /proc by itself, which the product does on Linux alone; by its place it can be told from the product's own code.
  'prom-client',
  'sharp',
  // The driver of PostgreSQL looks for these, and does without them.
  'pg-cloudflare',
  'pg-native',
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
  const write = options.platform === 'browser' ? writeServed : writeWhole;
  for (const file of result.outputFiles) write(file.path, file.contents);
  const made = result.outputFiles.map((file) => path.relative(root, file.path));
  return Object.assign(sources(result.metafile), { metafile: result.metafile, made });
}

/**
 * Bundles the server with most of its packages, in parts that are loaded when they are needed. CommonJS among them asks for Node's
 * own modules by `require`, which an ES module has not by itself.
 * @param {string} root
 */
async function makeServer(root) {
  const inputs = await bundle(root, {
    ...NODE_ESM,
    entryPoints: { main: 'app/main.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    splitting: true,
    // Beside the first file, as they find others by their own place.
    chunkNames: 'main-[name]-[hash]',
    external: LOADED,
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [temporalPlugin, withoutPlaces],
  });
  const made = new Set(inputs.made);
  for (const name of fs.readdirSync(path.join(root, 'dist'))) {
    const file = `dist/${name}`;
    if (/^main-.*\.mjs(?:\.map)?$/.test(name) && !made.has(file)) fs.rmSync(path.join(root, file));
  }
  return inputs;
}

/**
 * Leaves the packages out of the source map: nobody reads their lines, and Node parses the whole map at the first stack trace.
 * @type {import('esbuild').Plugin}
 */
const withoutPlaces = {
  name: 'without places',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path: file }) => ({
      contents: `${fs.readFileSync(file, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
      loader: 'default',
    }));
  },
};
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64');

/** A shorter text is sent in one packet either way. */
const WORTH_COMPRESSING = 1000;

/**
 * Writes a file that browsers load, and beside it the same compressed, as the server sends it to those that take it so.
 * @type {(file: string, content: string | Uint8Array) => void}
 */
function writeServed(file, content) {
  writeWhole(file, content);
  for (const ending of ['.br', '.gz']) fs.rmSync(`${file}${ending}`, { force: true });
  if (content.length < WORTH_COMPRESSING) return;
  const bytes = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeWhole(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeWhole(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

/**
 * Bundles the page: what every page needs, and chunks that are loaded where they are needed. A chunk's name says its content.
 * @param {string} root
 */
async function makePage(root) {
  const inputs = await bundle(root, {
    ...BROWSER,
    entryPoints: { main: 'web/main.tsx', theme: 'web/shell/theme-early.ts' },
    outdir: 'static/app',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  });
  const folder = path.join(root, 'static/app/chunks');
  const made = new Set(inputs.made);
  for (const name of fs.readdirSync(folder)) {
    const file = `static/app/chunks/${name.replace(/\.(?:br|gz)$/, '')}`;
    if (!made.has(file)) fs.rmSync(path.join(folder, name), { force: true });
  }
  return inputs;
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
    entryPoints: ['workflows/index.ts', 'workflows/trace-context.ts'],
    ...bundling(root),
    absWorkingDir: root,
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    outdir: 'unused',
    logLevel: 'silent',
  });
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  /** @type {string[]} */
  const log = [];
  let code;
  try {
    ({ code } = await bundleWorkflowCode({
      workflowsPath: path.join(root, 'workflows/index.ts'),
      workflowInterceptorModules: [path.join(root, 'workflows/trace-context.ts')],
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

/**
 * Copies the program that lays charts out, which the page runs beside itself. It is a file of its own because a page of this server
 * may start no worker from a text.
 * @param {string} root
 * @returns {Promise<Made>}
 */
function makeChartLayout(root) {
  const read = (/** @type {string} */ name) =>
    fs.readFileSync(path.join(root, 'node_modules/elkjs', name), 'utf8');
  const { version } = /** @type {{ version: string }} */ (JSON.parse(read('package.json')));
  const about =
    `/* elkjs ${version}, unchanged, under the EPL 2.0: /static/elk.LICENSE.txt; its source: ` +
    `the npm package elkjs@${version}, https://github.com/kieler/elkjs */`;
  writeServed(path.join(root, 'static/app/elk-worker.js'), `${about}\n${read('lib/elk-worker.min.js')}`);
  writeWhole(path.join(root, 'static/elk.LICENSE.txt'), read('LICENSE.md'));
  return Promise.resolve([]);
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
    writeServed(path.join(root, 'static', name), content.replace(/\n\/[/*]# sourceMappingURL=.*\s*$/, '\n'));
  }
  return bundle(root, {
    ...BROWSER,
    entryPoints: { swagger: 'web/docs/swagger.ts', docs: 'web/docs/docs.css' },
    outdir: 'static/app/docs',
  });
}
