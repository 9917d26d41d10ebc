import { createHash } from 'node:crypto';
import type { InferenceError } from '../../../inference/common/errors.ts';
import { decodeImage, type DecodedImage } from '../../../inference/images/decode-image.ts';
import { goldenFiles } from './golden.ts';

function described(image: DecodedImage): unknown {
  const { width, height, channels, data } = image;
  return {
    shape: [height, width, channels],
    type: data.BYTES_PER_ELEMENT === 2 ? 'uint16' : 'uint8',
    sha256: createHash('sha256').update(data).digest('hex'),
  };
}

const cases = [...goldenFiles()].flatMap(([name, file]) =>
  (['color', 'unchanged'] as const).map((read) => ({ name, read, bytes: Buffer.from(file.base64, 'base64'), golden: file[read] })),
); // prettier-ignore

it('has readings of every kind of file', () => {
  expect(cases.length).toBeGreaterThan(300);
});

it.each(cases)('reads $name as OpenCV does ($read)', async ({ bytes, read, golden }) => {
  const reading = await decodeImage(bytes, { read }).then(described, (error: InferenceError) => error.code);
  expect(reading).toEqual(golden ?? 'image_unreadable');
});
