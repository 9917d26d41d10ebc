import { join } from 'node:path';
import { judge, screens, sizeClass, type Verdict } from './screen-set.ts';
import { openModels } from './models.ts';
import { openedForAll } from '../../support/opened.ts';
import { isThorough, sampled } from '../../support/sampled.ts';

jest.setTimeout(480_000);

const verdicts: Verdict[] = [];
const wrong: string[] = [];

const models = openedForAll(openModels);
beforeAll(async () => {
  const reader = models.reader();
  for (const { name, image, words } of sampled(await screens(join(__dirname, 'screens')), 6)) {
    const { lines } = await reader.read(image);
    const judged = judge(words, lines);
    verdicts.push(...judged);
    wrong.push(
      ...judged.filter(({ right }) => !right).map(({ word }) => `${name}: ${word.text} (${word.size} px)`),
    );
  }
});

const shareRight = (some: readonly Verdict[]): number =>
  some.filter(({ right }) => right).length / some.length;

test('at least 95 of 100 words of fonts from 12 px on are read right, every sign of them', () => {
  const counted = verdicts.filter(({ word }) => word.size >= 12);
  expect(counted.length).toBeGreaterThan(isThorough ? 1500 : 200);
  expect({ wrong, enough: shareRight(counted) >= 0.95 }).toMatchObject({ enough: true });
});

test('so are they by the height of their ink, and in no size are there many more mistakes', () => {
  const high = verdicts.filter(({ word }) => (word.ink ?? 0) >= 12);
  expect(high.length).toBeGreaterThan(isThorough ? 500 : 60);
  expect(shareRight(high)).toBeGreaterThanOrEqual(0.95);
  for (const name of ['12-13', '14-16', '17-24', '25+'] as const) {
    const some = verdicts.filter(({ word }) => sizeClass(word.size) === name);
    // A sixth of the screens has too few words of some sizes to tell shares apart.
    if (!isThorough && some.length < 120) continue;
    expect({ name, enough: shareRight(some) >= 0.9 }).toEqual({ name, enough: true });
  }
});

test('words that were read right stand where they are', () => {
  const offs = verdicts.flatMap(({ off }) => (off === undefined ? [] : [off])).toSorted((a, b) => a - b);
  expect(offs.length).toBeGreaterThan(isThorough ? 1000 : 150);
  expect(offs[Math.floor(offs.length / 2)]).toBeLessThanOrEqual(2);
  expect(offs[Math.floor(offs.length * 0.98)]).toBeLessThanOrEqual(6);
});
