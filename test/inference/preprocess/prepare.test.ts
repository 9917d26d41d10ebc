import { readFileSync } from 'node:fs';
import path from 'node:path';
import { InferenceError } from '../../../inference/common/errors.ts';
import type { RawImage } from '../../../inference/images/raw-image.ts';
import type { ImageInput } from '../../../inference/preprocess/image-input.ts';
import { loadPreprocessor } from '../../../inference/preprocess/load-preprocessor.ts';
import type { Preprocessor } from '../../../inference/preprocess/preprocessor.ts';
import { preprocessWasm } from '../../support/preprocess-wasm.ts';
import { picture } from './pictures.ts';

let preprocessor: Preprocessor;
beforeAll(() => {
  preprocessor = loadPreprocessor(preprocessWasm());
}, 120_000);

const input = (part: Partial<ImageInput> = {}): ImageInput => {
  const channels = part.channels ?? 3;
  return {
    width: 8,
    height: 8,
    channels,
    datatype: 'FP32',
    read: 'color',
    color: 'bgr',
    scale: Array<number>(channels).fill(1),
    mean: Array<number>(channels).fill(0),
    std: Array<number>(channels).fill(1),
    fit: 'stretch',
    align: 'center',
    pad: 114,
    ...part,
  };
};

const image = (
  width: number,
  height: number,
  channels: RawImage['channels'],
  samples: readonly number[],
): RawImage => ({ width, height, channels, data: Uint8Array.from(samples) });

describe('values', () => {
  interface Golden extends Pick<ImageInput, 'scale' | 'mean' | 'std'> {
    readonly FP32: string;
    readonly FP16: string;
    readonly UINT8: string;
  }
  const golden = JSON.parse(readFileSync(path.join(__dirname, 'normalised.json'), 'utf8')) as Golden[];
  const ramp = image(
    256,
    1,
    3,
    Array.from({ length: 768 }, (_, i) => Math.floor(i / 3)),
  );

  it.each(golden)("are numpy's for scale $scale, mean $mean, std $std", ({ scale, mean, std, ...want }) => {
    for (const datatype of ['FP32', 'FP16', 'UINT8'] as const) {
      const { data } = preprocessor.prepare(
        ramp,
        input({ width: 256, height: 1, scale, mean, std, datatype, color: 'rgb' }),
      );
      expect(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')).toBe(
        want[datatype],
      );
    }
  });

  it('are those of 16-bit samples too, which are not scaled down', () => {
    const samples = Uint16Array.from([0, 1, 255, 256, 40_000, 65_535]);
    const wide: RawImage = { width: 6, height: 1, channels: 1, data: samples };
    const of = (datatype: ImageInput['datatype']): number[] => [
      ...preprocessor.prepare(
        wide,
        input({ width: 6, height: 1, channels: 1, scale: [0.5], mean: [10], std: [2], datatype }),
      ).data,
    ];
    expect(of('FP32')).toEqual([...samples].map((sample) => (sample * 0.5 - 10) / 2));
    // -5, -4.75, 58.75, 59, 9995, 16378.75: the first two below 0, the last two above 255.
    expect(of('UINT8')).toEqual([0, 0, 59, 59, 255, 255]);
    // Halves have 11 bits: steps of 8 from 8192 on.
    expect(of('FP16').map(fromHalf)).toEqual([-5, -4.75, 58.75, 59, 9992, 16_376]);
  });
});

function fromHalf(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const mantissa = bits & 1023;
  const size = exponent === 0 ? mantissa * 2 ** -24 : (1024 + mantissa) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

describe('channels', () => {
  const one = input({ width: 1, height: 1 });

  it('go to planes in the order that the model takes', () => {
    const plane = (channels: RawImage['channels'], color: ImageInput['color']): number[] => [
      ...preprocessor.prepare(
        image(1, 1, channels, [10, 20, 30, 40].slice(0, channels)),
        input({ ...one, channels, color, scale: [], mean: [], std: [] }),
      ).data,
    ];
    expect(plane(3, 'bgr')).toEqual([30, 20, 10]);
    expect(plane(3, 'rgb')).toEqual([10, 20, 30]);
    expect(plane(4, 'bgr')).toEqual([30, 20, 10, 40]);
    expect(plane(4, 'rgb')).toEqual([10, 20, 30, 40]);
    expect(plane(2, 'bgr')).toEqual([10, 20]);
    expect(plane(1, 'bgr')).toEqual([10]);
  });

  it('have their own normalisation, in the order of the planes', () => {
    const { data } = preprocessor.prepare(
      image(1, 1, 3, [10, 20, 30]),
      input({ ...one, scale: [1, 2, 4], mean: [5, 0, 0], std: [1, 1, 8] }),
    );
    expect([...data]).toEqual([30 - 5, 20 * 2, (10 * 4) / 8]);
  });

  it('must be as many as the model takes', () => {
    const grey = image(1, 1, 1, [10]);
    const told = ((): unknown => {
      try {
        return preprocessor.prepare(grey, one);
      } catch (error) {
        return error;
      }
    })();
    expect(told).toBeInstanceOf(InferenceError);
    expect(told).toMatchObject({
      code: 'image_unsuitable',
      field: 'file',
      message: 'the image has 1 channel, the model takes 3 channels',
    });
  });

  it('keep their planes apart in any size, to the last value', () => {
    for (const channels of [1, 2, 3, 4] as const) {
      for (const width of [1, 2, 3, 4, 5, 6, 7, 13, 16, 17]) {
        const source = picture(width, 3, channels, 'noise', 8, width);
        const { data, shape } = preprocessor.prepare(
          source,
          input({ width, height: 3, channels, color: 'rgb' }),
        );
        const planes = Array.from({ length: channels }, (_, channel) =>
          [...source.data].filter((_sample, i) => i % channels === channel),
        );
        expect([...data]).toEqual(planes.flat());
        expect(shape).toEqual([1, channels, 3, width]);
      }
    }
  });
});

describe('letterbox', () => {
  const letterbox = (
    width: number,
    height: number,
    part: Partial<ImageInput> = {},
  ): ReturnType<Preprocessor['prepare']> & { readonly rows: string[] } => {
    const prepared = preprocessor.prepare(
      image(width, height, 1, Array<number>(width * height).fill(200)),
      input({ channels: 1, fit: 'letterbox', ...part }),
    );
    const rows = Array.from({ length: 8 }, (_, y) =>
      Array.from(prepared.data.slice(8 * y, 8 * y + 8))
        .map((value) => (value === 200 ? '#' : value === 114 ? '.' : '?'))
        .join(''),
    );
    return { ...prepared, rows };
  };
  const free = '........';
  const full = '########';

  it('puts the image in the middle, the odd pixel below', () => {
    expect(letterbox(16, 10).rows).toEqual([free, full, full, full, full, full, free, free]);
    expect(letterbox(10, 16).rows).toEqual(Array<string>(8).fill('.#####..'));
  });

  it('puts it at the top left', () => {
    const { rows, placement } = letterbox(16, 10, { align: 'top-left' });
    expect(rows).toEqual([full, full, full, full, full, free, free, free]);
    expect(placement).toEqual({ scaleX: 0.5, scaleY: 0.5, offsetX: 0, offsetY: 0 });
  });

  it.each([
    // The inner height is half the image's.
    { height: 5, inner: 2, top: 3 },
    { height: 7, inner: 4, top: 2 },
    { height: 9, inner: 4, top: 2 },
    { height: 11, inner: 6, top: 1 },
    { height: 13, inner: 6, top: 1 },
    { height: 15, inner: 8, top: 0 },
  ])('rounds $height / 2 half to even: $inner', ({ height, inner, top }) => {
    const { rows, placement } = letterbox(16, height);
    expect(rows.filter((row) => row === full)).toHaveLength(inner);
    expect(rows.indexOf(full)).toBe(top);
    // The mapping keeps the ratio itself, which the inner size only rounds.
    expect(placement).toEqual({ scaleX: 0.5, scaleY: 0.5, offsetX: 0, offsetY: top });
  });

  it('scales up, and leaves nothing free when the shape is the same', () => {
    expect(letterbox(2, 2).rows).toEqual(Array<string>(8).fill(full));
    expect(letterbox(4, 2).placement).toEqual({ scaleX: 2, scaleY: 2, offsetX: 0, offsetY: 2 });
  });

  it('keeps at least a row or a column of an extreme shape', () => {
    expect(letterbox(1000, 1).rows).toEqual([free, free, free, full, free, free, free, free]);
    expect(letterbox(1, 1000).rows).toEqual(Array<string>(8).fill('...#....'));
  });

  it('normalises what it fills with, in each datatype', () => {
    const corner = (datatype: ImageInput['datatype']): number | undefined =>
      letterbox(16, 10, { datatype, scale: [0.5], mean: [1], std: [2] }).data[0];
    expect(corner('FP32')).toBe(28);
    expect(corner('UINT8')).toBe(28);
    expect(fromHalf(corner('FP16') ?? 0)).toBe(28);
  });

  it('fills each plane', () => {
    const { data } = preprocessor.prepare(
      picture(8, 4, 3, 'full'),
      input({ fit: 'letterbox', mean: [0, 100, 200] }),
    );
    const rows = [...data].reduce<number[][]>((all, value, i) => {
      if (i % 8 === 0) all.push([]);
      all.at(-1)?.push(value);
      return all;
    }, []);
    const same = (value: number): number[] => Array<number>(8).fill(value);
    const plane = (mean: number): number[][] => [
      ...[0, 1].map(() => same(114 - mean)),
      ...[0, 1, 2, 3].map(() => same(255 - mean)),
      ...[0, 1].map(() => same(114 - mean)),
    ];
    expect(rows).toEqual([...plane(0), ...plane(100), ...plane(200)]);
  });
});

describe('placement', () => {
  it('of a stretched image has a ratio for each axis', () => {
    expect(preprocessor.prepare(picture(16, 4, 3), input()).placement).toEqual({
      scaleX: 0.5,
      scaleY: 2,
      offsetX: 0,
      offsetY: 0,
    });
  });

  it('of a region is from the whole image', () => {
    const region = { x: 20, y: 10, width: 16, height: 10 };
    const { placement } = preprocessor.prepare(picture(64, 48, 3), input({ fit: 'letterbox' }), region);
    // Its left top pixel, at 20, 10, comes to 0, 1.
    expect(placement).toEqual({ scaleX: 0.5, scaleY: 0.5, offsetX: -10, offsetY: -4 });
  });
});

describe('region', () => {
  const source = picture(50, 40, 3);
  const crop = (x: number, y: number, width: number, height: number): RawImage => {
    const rows = Array.from({ length: height }, (_, row) => {
      const start = ((y + row) * 50 + x) * 3;
      return [...source.data.subarray(start, start + 3 * width)];
    });
    return image(width, height, 3, rows.flat());
  };

  it.each([
    [0, 0, 50, 40],
    [0, 0, 1, 1],
    [49, 39, 1, 1],
    [7, 5, 8, 8],
    [0, 13, 50, 9],
    [33, 0, 17, 40],
  ])('%i, %i of %i x %i is as if cut out first', (x, y, width, height) => {
    const region = { x, y, width, height };
    const cut = crop(x, y, width, height);
    expect(preprocessor.resize(source, 8, 8, region)).toEqual(preprocessor.resize(cut, 8, 8));
    const whole = [...preprocessor.prepare(cut, input({ fit: 'letterbox' })).data];
    expect([...preprocessor.prepare(source, input({ fit: 'letterbox' }), region).data]).toEqual(whole);
  });

  it.each([
    [-1, 0, 5, 5],
    [0.5, 0, 5, 5],
    [0, 0, 0, 5],
    [0, 0, 51, 5],
    [46, 0, 5, 5],
    [0, 36, 5, 5],
    [0, Number.NaN, 5, 5],
  ])('%d, %d of %d x %d is refused', (x, y, width, height) => {
    expect(() => preprocessor.resize(source, 8, 8, { x, y, width, height })).toThrow(
      /^a region of .* is not inside 50 x 40 pixels$/,
    );
  });
});

it('refuses an image whose samples are not as many as its size says', () => {
  expect(() => preprocessor.prepare({ ...picture(4, 4, 3), height: 5 }, input())).toThrow(
    'an image of 4 x 5 x 3 cannot have 48 samples',
  );
});

it.each([
  [0, 5],
  [5, -1],
  [2.5, 5],
])('resizes to no size of %d x %d', (width, height) => {
  expect(() => preprocessor.resize(picture(4, 4, 3), width, height)).toThrow('at least one pixel');
});
