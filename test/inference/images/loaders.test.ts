import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { goldenFiles } from './golden.ts';
import { bundling } from '../../support/bundling.ts';

const ROOT = path.resolve(__dirname, '../../..');
// It is inside the repository, so that the packages are found.
const folder = path.join(ROOT, '.tmp', `image-loaders-${process.pid}`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** It runs in a process of its own, since the switch affects the whole process for good. */
it('leaves the image library no way to load anything but the four formats from memory', async () => {
  mkdirSync(folder, { recursive: true });
  // It is a JPEG, although the library would choose another loader for it.
  const gainMap = goldenFiles().get('gain-map.jpg')?.base64;
  const entry = path.join(folder, 'probe.ts');
  writeFileSync(
    entry,
    `import { blockOtherLoaders, loadSharp } from '${ROOT}/inference/images/sharp.ts';
    async function main() {
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
      const file = '${folder}/picture.png';
      await raw().png().toFile(file);
      const reads = async (input) => sharp(input).raw().toBuffer().then(() => true, () => false);
      const all = async () => Object.fromEntries(await Promise.all([...Object.entries(files), ['path', file]].map(async ([name, input]) => [name, await reads(input)])));
      const before = await all();
      await blockOtherLoaders();
      const after = await all();
      const pixels = await reads({ create: { width: 1, height: 1, channels: 3, background: '#fff' } });
      process.stdout.write(JSON.stringify({ before, after, pixels }));
    }
    main();`,
  );
  const outfile = path.join(folder, 'probe.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    platform: 'node',
    format: 'esm',
    ...bundling(),
    alias: { sharp: path.join(ROOT, 'scripts/lib/sharp-cjs.mjs') },
    logLevel: 'error',
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { cwd: ROOT });
  const open = {
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
  const closed = { svg: false, gif: false, avif: false, path: false };
  expect(JSON.parse(stdout)).toEqual({ before: open, after: { ...open, ...closed }, pixels: true });
});
