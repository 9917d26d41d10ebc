import { join } from 'node:path';
import sharp from 'sharp';
import type { RawImage } from '../../../inference/images/raw-image.ts';
import type { Box, TextLine } from '../../../inference/common/results.ts';
import { isThorough } from '../../support/sampled.ts';
import { seeded } from '../../support/seeded.ts';
import { openModels, type OcrModels } from './models.ts';
import { judge, screens, type Screen } from './screen-set.ts';
import { openedForAll } from '../../support/opened.ts';

jest.setTimeout(480_000);

/** What reads twenty whole screens. */
const describeThorough = isThorough ? describe : describe.skip;

let all: readonly Screen[];

const models = openedForAll(openModels);
beforeAll(async () => {
  all = await screens(join(__dirname, 'screens'));
});

function screenCalled(name: string): Screen {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no screen ${name}`);
  return found;
}

function screen(name: string): RawImage {
  return screenCalled(name).image;
}

/** An area of a screen: a picture takes as long as it is large. */
function cropped(name: string, [x1, y1, x2, y2]: Box): RawImage {
  const image = screen(name);
  const row = (x2 - x1) * image.channels;
  const data = new Uint8Array(row * (y2 - y1));
  for (let y = y1; y < y2; y += 1) {
    const from = (y * image.width + x1) * image.channels;
    data.set(image.data.subarray(from, from + row), row * (y - y1));
  }
  return { ...image, width: x2 - x1, height: y2 - y1, data };
}

const CORNER: Box = [0, 0, 640, 320];
const corner = (name: string): RawImage => cropped(name, CORNER);

/** `base` with an area of another screen in its place. */
function patched(base: RawImage, other: RawImage, [x1, y1, x2, y2]: Box): RawImage {
  const data = Uint8Array.from(base.data);
  for (let y = y1; y < y2; y += 1) {
    const row = y * base.width * 3;
    data.set(other.data.subarray(row + x1 * 3, row + x2 * 3), row + x1 * 3);
  }
  return { ...base, data };
}

const textsOf = (lines: readonly TextLine[]): string[] =>
  lines.flatMap(({ words = [] }) => words.map(({ text }) => text));
const runsSince = async (work: () => Promise<unknown>): Promise<OcrModels['runs']> => {
  const before = { ...models.runs };
  await work();
  return {
    detected: models.runs.detected - before.detected,
    recognized: models.runs.recognized - before.recognized,
    seen: models.runs.seen - before.seen,
  };
};

test('a picture seen before runs no model, also after others, and gives the same answer, filtered too', async () => {
  const reader = models.reader();
  const first = await reader.read(corner('shop'));
  await reader.read(corner('banner'));
  const again = await runsSince(async () => {
    const second = await reader.read({ ...corner('shop'), data: Uint8Array.from(corner('shop').data) });
    expect(second.lines).toEqual(first.lines);
    expect(second.detections).toEqual(first.detections);
    const few = await reader.read(corner('shop'), { max: 3 });
    expect(few.detections).toEqual(first.detections.slice(0, 3));
    expect(few.lines).toHaveLength(3);
    const none = await reader.read(corner('shop'), { score: 1.01 });
    expect(none).toMatchObject({ lines: [], detections: [] });
  });
  expect(again).toEqual({ detected: 0, recognized: 0, seen: 0 });
});

test('when a part changed, only that part is looked at and only its new words are read', async () => {
  const reader = models.reader();
  const middle = (name: string): RawImage => cropped(name, [0, 160, 1024, 520]);
  const base = middle('files');
  let lines: readonly TextLine[] = [];
  const full = await runsSince(async () => {
    ({ lines } = await reader.read(base));
  });
  const area: Box = [0, 140, 512, 217];
  const other = patched(base, middle('settings'), area);
  const part = await runsSince(async () => {
    const after = await reader.read(other);
    const away = (line: TextLine): boolean => line.box[3] < area[1] - 40 || line.box[1] > area[3] + 40;
    expect(after.lines.filter(away)).toEqual(lines.filter(away));
    expect(
      textsOf(after.lines.filter(({ box }) => box[1] > area[1] && box[3] < area[3])).length,
    ).toBeGreaterThan(4);
  });
  expect(part.detected).toBeGreaterThan(0);
  expect(part.seen).toBeLessThan(full.seen * 0.4);
  expect(part.recognized).toBeLessThan(full.recognized * 0.3);
  const back = await runsSince(() => reader.read(base));
  expect(back).toEqual({ detected: 0, recognized: 0, seen: 0 });
});

test('text that moves is looked for again but not read again', async () => {
  const reader = models.reader();
  const base = cropped('desktop-files', [0, 480, 1024, 768]);
  const fresh = await runsSince(() => reader.read(base));
  // The terminal's text, eight rows up: the same letters elsewhere.
  const data = Uint8Array.from(base.data);
  const row = base.width * 3;
  data.copyWithin(40 * row, 48 * row, 280 * row);
  const moved = await runsSince(() => reader.read({ ...base, data }));
  expect(moved.detected).toBeGreaterThan(0);
  expect(moved.recognized).toBeLessThan(fresh.recognized / 2);
});

describeThorough('with STEADYHAND_TEST_ALL=1', () => {
  /**
   * The detector judges by everything that it gets, so a region's border may move where it gets only a part of the
   * picture, and a word on the border may then be read differently. That is rare, and the next change of the place reads
   * it anew.
   */
  test('after many changes nearly every word is as a reader without memory reads it', async () => {
    const random = seeded(20);
    const reader = models.reader();
    const names = ['settings', 'files', 'mail', 'desktop-editor'];
    let picture = screen('settings');
    await reader.read(picture);
    let words = 0;
    let different = 0;
    for (let change = 0; change < 10; change += 1) {
      const name = names[Math.floor(random() * names.length)] ?? 'mail';
      const [width, height] = [
        Math.floor(picture.width * (0.3 + random() * 0.5)),
        80 + Math.floor(random() * 120),
      ];
      const x = Math.floor(random() * (picture.width - width));
      const y = Math.floor(random() * (picture.height - height));
      picture = patched(picture, screen(name), [x, y, x + width, y + height]);
      const known = textsOf((await reader.read(picture)).lines);
      const fresh = textsOf((await models.reader().read(picture)).lines);
      words += fresh.length;
      const left = [...known];
      for (const word of fresh) {
        const at = left.indexOf(word);
        if (at < 0) different += 1;
        else left.splice(at, 1);
      }
    }
    expect(words).toBeGreaterThan(500);
    expect(different / words).toBeLessThan(0.05);
  });
});

test('calls at once wait for each other, and a picture without text or of a pixel is no error', async () => {
  const reader = models.reader();
  const blank: RawImage = { width: 300, height: 90, channels: 1, data: new Uint8Array(27_000).fill(200) };
  const dot: RawImage = { width: 1, height: 1, channels: 4, data: new Uint8Array(4) };
  const [one, two, three] = await Promise.all([
    reader.read(blank),
    reader.read(dot),
    reader.read(corner('shop')),
  ]);
  expect(one.lines).toEqual([]);
  expect(two.lines).toEqual([]);
  expect(three.lines.length).toBeGreaterThan(10);
});

test('a picture larger than the detector takes is looked at smaller and read at its own size', async () => {
  const image = corner('settings');
  const words = screenCalled('settings').words.filter(
    ({ box }) => box !== undefined && box[2] <= image.width && box[3] <= image.height,
  );
  const { data, info } = await sharp(image.data, {
    raw: { width: image.width, height: image.height, channels: 3 },
  })
    .resize(image.width * 2, image.height * 2, { kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const large: RawImage = {
    width: info.width,
    height: info.height,
    channels: 3,
    data: Uint8Array.from(data),
  };
  const { lines } = await models.reader().read(large);
  const half = ([x1, y1, x2, y2]: Box): Box => [x1 / 2, y1 / 2, x2 / 2, y2 / 2];
  const scaled = lines.map((line) => ({
    ...line,
    words: (line.words ?? []).map(({ text, box }) => ({ text, box: half(box) })),
  }));
  const right = judge(words, scaled).filter((verdict) => verdict.right).length;
  expect(right / words.length).toBeGreaterThan(0.9);
});
