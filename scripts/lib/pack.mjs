import fs from 'node:fs';
import path from 'node:path';
import { build as buildTargets } from './build.mjs';
import { runCommand } from './command.mjs';
import { bundling, manifests, SOURCE } from './packages.mjs';
import { BootstrapError } from './progress.mjs';
import { NODE_ESM } from './targets.mjs';

/**
 * What of the built product runs beside a package: in threads and processes of their own, so that it is not bundled in.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const BESIDE = {
  inference: ['inference-worker.mjs', 'inference-trial.mjs', 'image-decoder.mjs', 'preprocess.wasm'],
  sandbox: ['sandbox-daemon.mjs', 'sandbox-guest.cjs', 'sandbox-member.mjs'],
};

/**
 * Packs every package that is not private: one ES module a door and one of what doors share, the declarations, its README and
 * changelog, and what it starts in threads and processes of their own.
 * @param {string} root
 * @param {string} folder where the tarballs go; made when missing
 * @returns {Promise<string[]>} their paths
 */
export async function packPackages(root, folder) {
  await buildTargets(root);
  const packed = [...manifests(root)].filter(([, manifest]) => manifest.private !== true);
  await run('the types cannot be built', process.execPath, [
    path.join(root, 'node_modules/typescript/lib/tsc.js'),
    '--build',
    ...packed.map(([name]) => path.join(root, name)),
  ]);
  fs.mkdirSync(folder, { recursive: true });
  const stages = path.join(root, '.tmp', `pack-${process.pid}`);
  try {
    for (const [name, manifest] of packed) await fill(root, name, manifest, path.join(stages, name));
    // All at once, as npm itself takes most of the time.
    const output = await run('the packages cannot be packed', 'npm', [
      'pack',
      ...packed.map(([name]) => path.join(stages, name)),
      '--json',
      '--pack-destination',
      folder,
    ]);
    // npm may print warnings before its answer.
    const made = /** @type {{ filename: string }[]} */ (JSON.parse(output.slice(output.indexOf('[\n'))));
    return made.map(({ filename }) => path.join(folder, filename));
  } finally {
    fs.rmSync(stages, { recursive: true, force: true });
  }
}

/**
 * Puts everything that the tarball holds into a folder.
 * @param {string} root
 * @param {string} name the package's folder
 * @param {import('./packages.mjs').Manifest} manifest
 * @param {string} stage the folder
 */
async function fill(root, name, manifest, stage) {
  fs.mkdirSync(path.join(stage, 'dist'), { recursive: true });
  for (const file of ['README.md', 'CHANGELOG.md'])
    fs.copyFileSync(path.join(root, name, file), path.join(stage, file));
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(stage, 'LICENSE'));
  // The sources are not packed, so the condition that leads to them goes.
  /** @type {readonly (readonly [string, object])[]} */
  const exports = Object.entries(manifest.exports ?? {}).map(([door, { [SOURCE]: source, ...rest }]) => {
    if (source === undefined) throw new BootstrapError(`${name}/package.json: ${door} has no ${SOURCE}`);
    return [door, rest];
  });
  fs.writeFileSync(
    path.join(stage, 'package.json'),
    `${JSON.stringify({ ...manifest, exports: /** @type {object} */ (Object.fromEntries(exports)) }, null, 2)}\n`,
  );
  await buildDoors(root, name, manifest);
  copyBuilt(path.join(root, name), manifest, path.join(stage, 'dist'));
  for (const file of BESIDE[name] ?? [])
    fs.copyFileSync(path.join(root, 'dist', file), path.join(stage, 'dist', file));
}

/**
 * Compiles the doors of a package to the files that its `exports` name. What several doors use stands in a module that they
 * share, so that whoever imports two of them has its classes and its state once.
 * @param {string} root
 * @param {string} name the package's folder
 * @param {import('./packages.mjs').Manifest} manifest
 */
export async function buildDoors(root, name, manifest) {
  const { build } = await import('esbuild');
  const dist = path.join(root, name, 'dist');
  fs.mkdirSync(dist, { recursive: true });
  for (const file of fs.readdirSync(dist).filter((entry) => /^shared-.*\.js$/.test(entry)))
    fs.rmSync(path.join(dist, file));
  const doors = Object.values(manifest.exports ?? {});
  await build({
    ...NODE_ESM,
    ...bundling(root),
    // The other packages are installed beside it.
    conditions: [],
    packages: 'external',
    sourcemap: false,
    absWorkingDir: path.join(root, name),
    alias:
      name === 'inference' || name === 'sandbox'
        ? { sharp: path.join(root, 'scripts/lib/sharp-cjs.mjs') }
        : {},
    entryPoints: doors.map(({ [SOURCE]: source = '', default: built = '' }) => ({
      in: source,
      out: built.replace(/\.js$/, ''),
    })),
    outdir: path.join(root, name),
    splitting: doors.length > 1,
    chunkNames: 'dist/shared-[hash]',
  });
}

/**
 * Copies modules and declarations, but for those that an earlier state of the sources left. Declarations name each other by the
 * sources' endings; in a package they stand beside JavaScript.
 * @param {string} folder the package's
 * @param {import('./packages.mjs').Manifest} manifest
 * @param {string} to
 */
function copyBuilt(folder, manifest, to) {
  const from = path.join(folder, 'dist');
  const doors = new Set(Object.values(manifest.exports ?? {}).map(({ default: built = '' }) => built));
  const isMade = (/** @type {string} */ name) =>
    name.endsWith('.d.ts')
      ? ['.ts', '.tsx'].some((ending) => fs.existsSync(path.join(folder, name.replace(/\.d\.ts$/, ending))))
      : doors.has(`./dist/${name}`) || /^shared-\w+\.js$/.test(name);
  for (const name of fs.readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:d\.ts|js)$/.test(name) || !isMade(name)) continue;
    const text = fs.readFileSync(path.join(from, name), 'utf8');
    fs.mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    fs.writeFileSync(
      path.join(to, name),
      text.replace(/((?:from|import) ?\(?["']\.[^"']*)\.tsx?(?=["'])/g, '$1.js'),
    );
  }
}

/**
 * Runs a program and answers what it prints.
 * @param {string} failure what it means when it fails
 * @param {string} program
 * @param {readonly string[]} args
 */
async function run(failure, program, args) {
  const { code, output } = await runCommand(program, args, { capture: true });
  if (code !== 0) throw new BootstrapError(`${failure}:\n${output.trimEnd()}`);
  return output;
}
