import { draws, fc } from '../../support/fast-check.ts';
import { NO_VALUE, renderVector, type VectorImageOptions } from '../../../inference/images/render-vector.ts';

const rows = async (values: readonly number[], options: VectorImageOptions = {}): Promise<string[]> => {
  const { width, height, data } = await renderVector(values, { scale: 1, ...options });
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_x, x) => Buffer.from(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)).toString('hex')).join(' '),
  );
}; // prettier-ignore

const NONE = Buffer.from(NO_VALUE).toString('hex');

describe('values', () => {
  it('run from black to white between the smallest and the largest', async () => {
    expect(await rows([-1, 0, 1, 3], { width: 2 })).toEqual(['000000 404040', '808080 ffffff']);
  });

  it('run from min to max where given, and beyond take the nearest end', async () => {
    expect(await rows([-5, 0, 127.5, 255, 300], { width: 5, min: 0, max: 255 })).toEqual(['000000 000000 808080 ffffff ffffff']); // prettier-ignore
  });

  it('run through viridis', async () => {
    expect(await rows([0, 85, 170, 255], { width: 4, colormap: 'viridis' })).toEqual([
      '440154 31688e 35b779 fde725',
    ]);
  });

  it('are all the lowest colour when they are equal', async () => {
    expect(await rows([4, 4, 4, 4])).toEqual(['000000 000000', '000000 000000']);
  });

  it('that are not numbers have a colour of their own; infinite ones take the ends', async () => {
    const values = [Number.NaN, 0, 1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    expect(await rows(values, { width: 5 })).toEqual([`${NONE} 000000 ffffff ffffff 000000`]);
    expect(await rows([Number.NaN], {})).toEqual([NONE]);
  });
});

describe('shape', () => {
  it('is the nearest to a square, its free cells without a value', async () => {
    expect(await rows([0, 1, 0, 1, 0])).toEqual(['000000 ffffff 000000', `ffffff 000000 ${NONE}`]);
  });

  it('follows a given width or height', async () => {
    const values = Array.from({ length: 12 }, (_, i) => i);
    expect(await renderVector(values, { width: 6, scale: 1 })).toMatchObject({ width: 6, height: 2 });
    expect(await renderVector(values, { height: 6, scale: 1 })).toMatchObject({ width: 2, height: 6 });
    expect(await renderVector(values, { width: 3, height: 4, scale: 1 })).toMatchObject({
      width: 3,
      height: 4,
    });
  });

  it('is enlarged by whole cells so that a small one can be seen', async () => {
    expect(await renderVector([0, 1, 2, 3])).toMatchObject({ width: 128, height: 128 });
    expect(await renderVector(new Float32Array(100 * 50), { width: 100 })).toMatchObject({
      width: 300,
      height: 150,
    });
    expect(await renderVector(new Float32Array(512 * 2), { width: 512 })).toMatchObject({
      width: 512,
      height: 2,
    });
    expect(await rows([0, 1], { width: 2, scale: 2 })).toEqual(['000000 000000 ffffff ffffff', '000000 000000 ffffff ffffff']); // prettier-ignore
  });
});

describe('three channels', () => {
  const range = { min: 0, max: 255, channels: 3 } as const;

  it('lie plane after plane or cell after cell', async () => {
    expect(await rows([1, 2, 3, 4, 5, 6], { ...range, width: 2 })).toEqual(['010305 020406']);
    expect(await rows([1, 2, 3, 4, 5, 6], { ...range, width: 2, layout: 'hwc' })).toEqual(['010203 040506']);
  });

  it('have no value where one of them has none', async () => {
    expect(await rows([1, 2, 3, Number.NaN, 5, 6], { ...range, width: 2 })).toEqual([`010305 ${NONE}`]);
  });
});

describe('refusals', () => {
  it.each([
    [[], {}, 'values', 'at least one'],
    [[1, 2, 3, 4], { channels: 3 }, 'values', 'no multiple of 3'],
    [[1, 2, 3], { width: 2, height: 2 }, 'values', '2 x 2 with 1 channel(s) takes 4'],
    [[1], { width: 0 }, 'width', 'whole number'],
    [[1], { width: 1.5 }, 'width', 'whole number'],
    [[1], { height: 70_000 }, 'height', '65535'],
    [[1], { scale: 65 }, 'scale', '1 to 64'],
    [[1], { min: Number.NaN }, 'min', 'finite'],
    [[1], { min: 2, max: 1 }, 'max', 'below'],
  ] as const)('of %j with %j name the part at fault', async (values, options, field, message) => {
    await expect(renderVector(values, options)).rejects.toMatchObject({
      code: 'tensor_invalid',
      field,
      message: expect.stringContaining(message) as string,
    });
  });

  it('of a picture that would be too large come before it is made', async () => {
    const many = new Float32Array(10_000);
    await expect(renderVector(many, { scale: 64, maxPixels: 1_000_000 })).rejects.toMatchObject({
      code: 'image_too_large',
    });
  });
});

it('any vector in any shape gives a whole picture', async () => {
  const options = fc.record(
    {
      width: fc.integer({ min: 1, max: 40 }),
      colormap: fc.constantFrom('gray' as const, 'viridis' as const),
      scale: fc.integer({ min: 1, max: 4 }),
      min: fc.double({ noNaN: true, noDefaultInfinity: true }),
    },
    { requiredKeys: [] },
  );
  const values = fc.array(fc.oneof(fc.double(), fc.float()), { minLength: 1, maxLength: 80 });
  const property = fc.asyncProperty(values, options, async (numbers, chosen) => {
    const image = await renderVector(numbers, { ...chosen, max: Number.MAX_VALUE });
    expect(image.data).toHaveLength(image.width * image.height * 3);
    expect(image.width * image.height).toBeGreaterThanOrEqual(numbers.length);
  });
  await fc.assert(property, { numRuns: draws(300) });
});
