/**
 * The product's side of test/oracle/prepare.py, which says how to run both. Reads `<folder>/cases.json`, prepares or
 * resizes each case's image, and writes what came out beside it as `<case>.out`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawImage } from '../../inference/images/raw-image.ts';
import type { ImageInput } from '../../inference/preprocess/image-input.ts';
import { loadPreprocessor } from '../../inference/preprocess/load-preprocessor.ts';

interface Case extends Pick<RawImage, 'width' | 'height' | 'channels'> {
  readonly bits: 8 | 16;
  readonly resize?: readonly [number, number];
  readonly input?: ImageInput;
}

const folder = process.argv[2] ?? '.';
const preprocessor = loadPreprocessor('dist/preprocess.wasm');
const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as Case[];
cases.forEach(({ width, height, channels, bits, resize, input }, i) => {
  const bytes = new Uint8Array(readFileSync(join(folder, `${i}.in`)));
  const data = bits === 8 ? bytes : new Uint16Array(bytes.buffer);
  const image = { width, height, channels, data };
  const out =
    input === undefined
      ? preprocessor.resize(image, ...(resize ?? [1, 1])).data
      : preprocessor.prepare(image, input).data;
  writeFileSync(join(folder, `${i}.out`), out);
});
