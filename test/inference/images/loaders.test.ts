import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { goldenFiles } from './golden.ts';
import { bundling } from '../../support/bundling.ts';

const ROOT = path.resolve(__dirname, '../../..');
// It is inside the repository, so that the packages are found.
const folder = path.join(ROOT, '.tmp', `image-loaders-${process.pid}`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPEN = {
  svg: true,
  gif: true,
  avif: true,
  jpeg: true,
  png: true,
  webp: true,
  tiff: true,
  gainMap: true,
  path: true,
};
const CLOSED = { ...OPEN, svg: false, gif: false, avif: false, path: false };

/** What the library reads in each of three threads of a new process, since the switch affects the whole process for good. */
async function readIn(mode: 'open' | 'blocked' | 'blocked late'): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [probe, mode], { cwd: ROOT });
  return JSON.parse(stdout);
}

const probe = path.join(folder, 'probe.mjs');

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  // It is a JPEG, although the library would choose another loader for it.
  const gainMap = goldenFiles().get('gain-map.jpg')?.base64;
  const entry = path.join(folder, 'probe.ts');
  writeFileSync(
    entry,
    `import { once } from 'node:events';
    import { isMainThread, parentPort, Worker } from 'node:worker_threads';
    import { blockOtherLoaders, loadSharp } from '${ROOT}/inference/images/sharp.ts';
    async function look() {
      const sharp = await loadSharp();
      const raw = () => sharp({ create: { width: 4, height: 4, channels: 3, background: '#123456' } });
      const files = {
        svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'),
        gif: await raw().gif().toBuffer(),
        avif: await raw().avif().toBuffer(),
        jpeg: await raw().jpeg().toBuffer(),
        png: await raw().png().toBuffer(),
        webp: await raw().webp().toBuffer(),
        tiff: await raw().tiff().toBuffer(),
        gainMap: Buffer.from('${gainMap}', 'base64'),
      };
      const reads = async ([name, input]) => [name, await sharp(input).raw().toBuffer().then(() => true, () => false)];
      return Object.fromEntries(await Promise.all([...Object.entries(files), ['path', '${folder}/picture.png']].map(reads)));
    }
    async function main() {
      if (!isMainThread) return parentPort.postMessage(await look());
      if (process.argv[2] === 'blocked') blockOtherLoaders();
      const early = process.argv[2] === 'blocked late' ? [await look()] : [];
      if (early.length > 0) blockOtherLoaders();
      const threads = [1, 2].map(async () => (await once(new Worker(new URL(import.meta.url)), 'message'))[0]);
      process.stdout.write(JSON.stringify([...early, ...(await Promise.all([look(), ...threads]))]));
    }
    main();`,
  );
  await sharp({ create: { width: 4, height: 4, channels: 3, background: '#123456' } }).toFile(
    path.join(folder, 'picture.png'),
  );
  await build({
    entryPoints: [entry],
    outfile: probe,
    platform: 'node',
    format: 'esm',
    ...bundling(),
    alias: { sharp: path.join(ROOT, 'scripts/lib/sharp-cjs.mjs') },
    logLevel: 'error',
  });
});

it('reads many formats, also from files, where nobody has said otherwise', async () => {
  expect(await readIn('open')).toEqual([OPEN, OPEN, OPEN]);
});

it('leaves the image library no way to load anything but the four formats from memory, in no thread', async () => {
  expect(await readIn('blocked')).toEqual([CLOSED, CLOSED, CLOSED]);
});

it('blocks them at once where the library is loaded already', async () => {
  expect(await readIn('blocked late')).toEqual([OPEN, CLOSED, CLOSED, CLOSED]);
});
