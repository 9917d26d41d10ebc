import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { bundling } from '../support/bundling.ts';
import { inferenceRoot } from '../support/inference-worker.ts';
import { identityModel } from '../support/onnx.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BUILT = ['inference-worker.mjs', 'inference-trial.mjs', 'image-decoder.mjs', 'preprocess.wasm'];
const folder = temporaryFolder();

test('without a root the built files are found beside the module, and the packaged models from there', async () => {
  const root = inferenceRoot();
  for (const name of ['package', 'models']) mkdirSync(path.join(folder, name));
  for (const name of BUILT) copyFileSync(path.join(root, 'dist', name), path.join(folder, 'package', name));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await build({
    ...bundling(),
    entryPoints: ['inference/index.ts'],
    platform: 'node',
    format: 'esm',
    alias: { sharp: './scripts/lib/sharp-cjs.mjs' },
    outfile: path.join(folder, 'package/index.mjs'),
    logLevel: 'silent',
  });
  writeFileSync(path.join(folder, 'models/identity.onnx'), identityModel());
  const picture = await sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100">
      <rect width="400" height="100" fill="white"/>
      <text x="20" y="60" font-family="DejaVu Sans, sans-serif" font-size="28">Good morning</text></svg>`),
  )
    .png()
    .toBuffer();
  writeFileSync(path.join(folder, 'picture.png'), picture);
  const script = `import { readFileSync } from 'node:fs';
    import { createInference } from './package/index.mjs';
    const inference = createInference({ modelsDir: 'models' });
    await inference.settled();
    const { lines } = await inference.analyze({ bytes: readFileSync('picture.png') });
    const states = inference.models().map(({ name, state }) => [name, state]);
    process.stdout.write(JSON.stringify({ texts: lines.map(({ text }) => text), states }));
    await inference.close();`;
  writeFileSync(path.join(folder, 'main.mjs'), script);
  const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    texts: ['Good morning'],
    states: [
      ['identity', 'ready'],
      ['ocr', 'ready'],
      ['ocr-detect', 'unloaded'],
      ['ocr-recognize', 'unloaded'],
    ],
  });
});
