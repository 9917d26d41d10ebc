import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { WorkflowBench } from '../server/workflows/bench.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { openedForAll } from '../support/opened.ts';
import { comparePictures, pictureFault } from '../support/picture-comparison.ts';
import { isThorough } from '../support/sampled.ts';
import type { Look } from '../support/looks.ts';
import { seedTools } from './seed-tools.ts';
import { seedDemo } from './seed.ts';

/** How the main pages look: both themes, and a phone. */

jest.setTimeout(240_000);

const LOOKS: readonly Look[] = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
];

interface Shown {
  readonly name: string;
  readonly place: string;
  /** What is there once the page is whole. */
  readonly ready: (page: Page) => Promise<unknown>;
}

describeInBrowser('the pages look as they did (needs chromium)', () => {
  const browser = openedForAll(
    () => watchedBrowser('static/app/elk-worker.js'),
    (it) => it.close(),
    120_000,
  );
  const bench = openedForAll(
    async () => {
      const opened = await WorkflowBench.start();
      await opened.serve();
      return opened;
    },
    async (it) => {
      await it.stopWorker();
      await it.stop();
    },
    120_000,
  );
  const shown: Shown[] = [];

  beforeAll(async () => {
    const { store } = bench;
    const tools = await seedTools(store);
    await seedDemo(store);
    const { workflowId } = await bench.begin(
      'approval',
      [{ input: { document: 'budget', needed: 2, remindEvery: 3_600_000, giveUpAfter: 7_200_000 } }],
      { workflowId: 'approval/budget' },
    );
    shown.push(
      {
        name: 'start',
        place: '/',
        ready: (page) =>
          page
            .getByRole('button', { name: /^Start: / })
            .first()
            .waitFor(),
      },
      {
        name: 'sessions',
        place: '/sessions',
        ready: (page) => page.getByRole('row', { name: /Every tool/ }).waitFor(),
      },
      {
        name: 'session',
        place: `/sessions/${tools.id}`,
        ready: (page) => page.getByText('Now close it.').first().waitFor(),
      },
      {
        name: 'workflows',
        place: '/workflows',
        ready: (page) => page.getByText('approval/budget').first().waitFor(),
      },
      {
        name: 'workflow',
        place: `/workflows/${encodeURIComponent(workflowId)}?tab=compact`,
        ready: (page) => page.getByRole('list', { name: 'History' }).getByRole('listitem').first().waitFor(),
      },
      {
        name: 'statechart',
        place: `/statechart/${encodeURIComponent(workflowId)}`,
        ready: (page) => page.locator('g.state.active').first().waitFor(),
      },
      {
        name: 'images',
        place: '/inference',
        ready: (page) => page.getByText('None yet: put ONNX files').waitFor(),
      },
      {
        name: 'agents',
        place: '/agents',
        ready: (page) => page.getByRole('row', { name: /Demo/ }).first().waitFor(),
      },
      {
        name: 'script',
        place: '/scripts',
        ready: (page) => page.getByText('No errors').waitFor(),
      },
      {
        name: 'batches',
        place: '/batches',
        ready: (page) => page.getByText('No batch yet').waitFor(),
      },
      {
        name: 'health',
        place: '/system',
        ready: (page) => page.getByText('Memory of the machine').waitFor(),
      },
    );
  }, 120_000);
  afterEach(() => browser.closePage());

  test.each([
    'start',
    'sessions',
    'session',
    'workflows',
    'workflow',
    'statechart',
    'images',
    'agents',
    'script',
    'batches',
    'health',
  ])('%s', async (name) => {
    const at = shown.findIndex((one) => one.name === name);
    const { place, ready } = shown[at] ?? fail(name);
    // A usual run looks at each page once, at each look of some.
    const looks = isThorough ? LOOKS : LOOKS.slice(at % LOOKS.length, (at % LOOKS.length) + 1);
    for (const [colorScheme, width] of looks) {
      const page = await browser.open(bench.url, place, {
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
      });
      await ready(page);
      const file = path.join(__dirname, 'pictures', `${name}-${colorScheme}-${width}.png`);
      expect(await pictureFault(await still(page), file)).toBeUndefined();
    }
  });

  test('another theme, and a part that is missing, are told apart', async () => {
    const [light, dark] = ['light', 'dark'].map((theme) =>
      path.join(__dirname, 'pictures', `start-${theme}-1280.png`),
    );
    const as = (file: string | undefined) => sharp(file).resize({ width: 1280 }).png().toBuffer();
    const page = await as(light);
    const same = await comparePictures(page, await sharp(light).png().toBuffer());
    const other = await comparePictures(await as(dark), await sharp(light).png().toBuffer());
    const without = await sharp(page)
      .composite([
        {
          input: { create: { width: 400, height: 200, channels: 3, background: '#888888' } },
          left: 400,
          top: 300,
        },
      ])
      .png()
      .toBuffer();
    const missing = await comparePictures(without, await sharp(light).png().toBuffer());
    expect(same.share).toBeLessThan(0.01);
    expect(other.share).toBeGreaterThan(0.5);
    expect(missing.share).toBeGreaterThan(0.05);
  });
});

/** The page once it stands still: live pages never end to ask. */
async function still(page: Page): Promise<Buffer> {
  const shoot = (): Promise<Buffer> => page.screenshot({ animations: 'disabled', caret: 'hide' });
  await page.evaluate(() => document.fonts.ready);
  let before = await shoot();
  for (let again = 0; again < 20; again += 1) {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })));
    const now = await shoot();
    if (now.equals(before)) return now;
    before = now;
  }
  return before;
}

function fail(name: string): never {
  throw new Error(`no page ${name}`);
}
