import { draws, fc } from '../../support/fast-check.ts';
import { GLYPH, glyphsOf } from '../../../inference/images/bitmap-font.ts';
import { classColor, inkOn } from '../../../inference/images/color-map.ts';
import { drawDetections } from '../../../inference/images/draw.ts';
import type { RawImage } from '../../../inference/images/raw-image.ts';

type Drawn = Parameters<typeof drawDetections>[1][number];

const GREY = 40;

function plain(width: number, height: number): RawImage {
  return { width, height, channels: 3, data: new Uint8Array(width * height * 3).fill(GREY) };
}

function pixel({ data, width }: RawImage, x: number, y: number): number[] {
  return Array.from(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3));
}

const found = (box: Drawn['box'], rest: Partial<Drawn> = {}): Drawn => ({
  box,
  label: 'cat',
  class_id: 3,
  score: 0.5,
  ...rest,
});

describe('frames', () => {
  it('runs along the inside of the box, of the given width', async () => {
    const image = await drawDetections(plain(100, 80), [found([20, 30, 60, 70])], {
      labels: false,
      scores: false,
      lineWidth: 2,
    });
    const color = [...classColor(3)];
    const inFrame = (x: number, y: number): boolean =>
      x >= 20 && x < 60 && y >= 30 && y < 70 && !(x >= 22 && x < 58 && y >= 32 && y < 68);
    for (let y = 0; y < 80; y += 1)
      for (let x = 0; x < 100; x += 1)
        expect([x, y, ...pixel(image, x, y)]).toEqual([
          x,
          y,
          ...(inFrame(x, y) ? color : [GREY, GREY, GREY]),
        ]);
  });

  it('is wider on a larger image', async () => {
    const lineOf = async (side: number): Promise<number> => {
      const image = await drawDetections(plain(side, side), [found([10, 10, side - 10, side - 10])], {
        labels: false,
        scores: false,
      });
      let width = 0;
      while (pixel(image, 10 + width, side / 2)[0] !== GREY) width += 1;
      return width;
    };
    expect(await Promise.all([200, 800, 2000].map(lineOf))).toEqual([1, 2, 5]);
  });

  it('gives each class its own colour and draws the best score on top', async () => {
    const colors = Array.from({ length: 100 }, (_, id) => classColor(id).join());
    expect(new Set(colors).size).toBe(100);
    const boxes = [
      found([10, 10, 50, 50], { class_id: 1, score: 0.9 }),
      found([10, 10, 50, 50], { class_id: 2, score: 0.2 }),
    ];
    const image = await drawDetections(plain(60, 60), boxes, { labels: false, scores: false });
    expect(pixel(image, 10, 30)).toEqual([...classColor(1)]);
  });

  it('shows at least a pixel of a box without area, and nothing of one outside', async () => {
    const image = await drawDetections(plain(30, 30), [found([5, 6, 5, 6]), found([100, 100, 140, 140])], {
      labels: false,
      scores: false,
    });
    const marked = Array.from({ length: 900 }, (_, i) => i).filter((i) => image.data[i * 3] !== GREY);
    expect(marked).toEqual([6 * 30 + 5]);
  });

  it('refuses a box that is not finite, by name', async () => {
    const boxes = [found([1, 2, 3, 4]), found([1, 2, Number.NaN, 4])];
    await expect(drawDetections(plain(9, 9), boxes)).rejects.toMatchObject({
      code: 'tensor_invalid',
      field: 'detections[1].box',
    });
  });
});

/** The text on a plate, read back pixel by pixel. */
function readPlate(image: RawImage, left: number, top: number, dot: number, length: number, ink: readonly number[]): string {
  const cells = Array.from({ length }, (_, index) => {
    const x = left + (index * GLYPH.advance + 1) * dot;
    return Array.from({ length: GLYPH.height }, (_row, row) =>
      Array.from({ length: GLYPH.width }, (_column, column) => {
        const at = pixel(image, x + column * dot, top + (row + 1) * dot);
        return at.join() === ink.join() ? 1 : 0;
      }).reduce<number>((bits, bit) => bits * 2 + bit, 0),
    );
  });
  const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
  const known = new Map(printable.map((character) => [JSON.stringify(glyphsOf(character)[0]), character]));
  return cells.map((rows) => known.get(JSON.stringify(rows)) ?? '?').join('');
} // prettier-ignore

describe('captions', () => {
  const ink = inkOn(classColor(3));

  it('stand above the box, legible at every scale', async () => {
    for (const dot of [1, 2, 3]) {
      const image = await drawDetections(plain(400, 100), [found([20, 50, 380, 90])], { textScale: dot });
      expect(readPlate(image, 20, 50 - 9 * dot, dot, 8, ink)).toBe('cat 0.50');
    }
  });

  it('stand inside where there is no room above, and move in from the right edge', async () => {
    const atTop = await drawDetections(plain(200, 60), [found([30, 2, 190, 50])], { textScale: 1 });
    expect(readPlate(atTop, 30, 2, 1, 8, ink)).toBe('cat 0.50');
    const atRight = await drawDetections(plain(200, 60), [found([190, 30, 200, 50])], { textScale: 1 });
    expect(readPlate(atRight, 200 - 49, 21, 1, 8, ink)).toBe('cat 0.50');
  });

  it('has the label, the score, both or none', async () => {
    const captionOf = async (options: object): Promise<string> =>
      readPlate(
        await drawDetections(plain(200, 60), [found([5, 30, 190, 50])], { textScale: 1, ...options }),
        5,
        21,
        1,
        8,
        ink,
      );
    expect(await captionOf({ scores: false })).toMatch(/^cat/);
    expect(await captionOf({ labels: false })).toMatch(/^0\.50/);
  });

  it('has a shape of its own for each printable character, and a frame for every other', () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
    expect(new Set(printable.map((character) => JSON.stringify(glyphsOf(character)))).size).toBe(95);
    const frame = glyphsOf('é')[0];
    expect(glyphsOf('\n\0\u007f漢😀')).toEqual([frame, frame, frame, frame, frame]);
    expect(glyphsOf('😀')).toHaveLength(1);
  });

  it('cuts a label that is too long', async () => {
    const image = await drawDetections(
      plain(2000, 60),
      [found([5, 30, 1900, 50], { label: 'x'.repeat(5000) })],
      { textScale: 1 },
    );
    expect(readPlate(image, 5, 21, 1, 45, ink)).toBe(`${'x'.repeat(40)} 0.50`);
  });
});

describe('the picture', () => {
  it('is a copy unless told otherwise', async () => {
    const image = plain(50, 50);
    const copy = await drawDetections(image, [found([5, 5, 40, 40])]);
    expect(new Set(image.data)).toEqual(new Set([GREY]));
    const same = await drawDetections(image, [found([5, 5, 40, 40])], { inPlace: true });
    expect(same.data).toBe(image.data);
    expect(Buffer.from(same.data).equals(Buffer.from(copy.data))).toBe(true);
  });

  it('comes in RGB from every kind of pixels', async () => {
    const grey: RawImage = { width: 2, height: 1, channels: 1, data: Uint8Array.from([7, 9]) };
    const clear: RawImage = { width: 2, height: 1, channels: 2, data: Uint8Array.from([7, 0, 9, 255]) };
    const rgba: RawImage = { width: 1, height: 1, channels: 4, data: Uint8Array.from([1, 2, 3, 0]) };
    const wide: RawImage = {
      width: 1,
      height: 1,
      channels: 3,
      data: Uint16Array.from([0x0102, 0x7fff, 0xff00]),
    };
    const drawn = await Promise.all([grey, clear, rgba, wide].map((image) => drawDetections(image, [])));
    expect(drawn.map(({ data }) => [...data])).toEqual([
      [7, 7, 7, 9, 9, 9],
      [7, 7, 7, 9, 9, 9],
      [1, 2, 3],
      [1, 127, 255],
    ]);
  });

  it('survives any boxes and labels', async () => {
    const coordinate = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -100, max: 200, noNaN: true }),
    );
    const any = fc.record({
      box: fc.tuple(coordinate, coordinate, coordinate, coordinate),
      label: fc.string({ unit: 'binary' }),
      class_id: fc.integer(),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const property = fc.asyncProperty(
      fc.array(any, { maxLength: 5 }),
      fc.integer({ min: 1, max: 90 }),
      async (boxes, side) => {
        const image = await drawDetections(plain(side, 60), boxes);
        expect(image.data).toHaveLength(side * 60 * 3);
      },
    );
    await fc.assert(property, { numRuns: draws(300) });
  });
});
