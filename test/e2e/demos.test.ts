import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { describeInBrowser, type WatchedBrowser, watchedBrowser } from '../support/browser.ts';
import { Product } from '../support/product.ts';
import { isThorough, sampled } from '../support/sampled.ts';
import { events, idle, resultTexts, until, type Events } from './support.ts';

/** The scripts that the start page offers, begun and followed in a real browser, on the real desktop. */

const missing = ['Xvfb', 'openbox', 'xdotool', 'mousepad', 'x11vnc'].filter(
  (name) => !fs.existsSync(`/usr/bin/${name}`),
);
const describeAll = missing.length === 0 ? describeInBrowser : describe.skip;

jest.setTimeout(600_000);

describeAll(`the demos of the start page (needs ${missing.join(', ') || 'chromium'})`, () => {
  const product = new Product({ DEFAULT_MODEL: 'ocr' });
  let browser: WatchedBrowser;

  beforeAll(async () => {
    browser = await watchedBrowser('static/app/main.js');
    await product.start();
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await product.dispose();
  }, 360_000);

  async function begin(title: string): Promise<{ readonly page: Page; readonly id: string }> {
    const page = await browser.open(product.url, '/');
    await page.getByRole('button', { name: `Start: ${title}` }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    return { page, id: new URL(page.url()).pathname.split('/').at(-1) ?? '' };
  }
  const said = (log: Events): string => {
    const last = log.findLast((event) => event.type === 'agent.message');
    return JSON.stringify(last?.content ?? '');
  };

  // What the shopping list does is in script-screen.test.ts, too.
  test.each(
    sampled<readonly [title: string, end: string]>(
      [
        ['Demo: a web page', 'The order is placed, and the page says thank you.'],
        ['Demo: a shopping list', 'The list is written, edited and saved.'],
      ],
      2,
    ),
  )('%s', async (title, end) => {
    const { id } = await begin(title);
    expect(await idle(product, id)).toBe('end_turn');
    expect(said(await events(product.client, id))).toContain(end);
    expect(browser.complaints).toEqual([]);
  });

  test('Demo: an approval', async () => {
    const { page, id } = await begin('Demo: an approval');
    const question = page.getByRole('group', { name: 'The agent asks: rm reports/old.txt' });
    await question.getByRole('button', { name: 'Approve' }).click({ timeout: 240_000 });
    await until(product, id, 'the end', (log) => said(log).includes('because you allowed it'));
    expect(resultTexts(await events(product.client, id)).at(-1)).toBe('new.txt');
  });

  // What they do, takeover.test.ts does, too, and crash.test.ts at more points.
  const describeThorough = isThorough ? describe : describe.skip;

  describeThorough('with STEADYHAND_TEST_ALL=1', () => {
    test('Demo: a takeover', async () => {
      const { page, id } = await begin('Demo: a takeover');
      // The script itself says "It is your turn", too; its next step waits for the person.
      await page.getByText('step 4 of 5').first().waitFor({ timeout: 240_000 });
      await page.getByRole('button', { name: 'Watch live' }).click();
      await page.getByText('Live, view only').waitFor();
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByText('You have mouse and keyboard.').waitFor({ timeout: 60_000 });
      await page.keyboard.type('hello');
      await page.keyboard.press('Shift+Escape');
      await page.keyboard.press('Enter');
      expect(await idle(product, id)).toBe('end_turn');
      const log = await events(product.client, id);
      expect(said(log)).toContain('I read your hello');
      expect(log.map(({ type }) => type)).toContain('sandbox.takeover_ended');
    });

    test('Demo: a crash', async () => {
      const { id } = await begin('Demo: a crash');
      const uses = (log: Events): number => log.filter(({ type }) => type === 'agent.tool_use').length;
      await until(product, id, 'the second step', (log) => uses(log) === 2);
      await product.kill();
      await product.start();
      await until(product, id, 'the end', (log) => said(log).includes('each of them was done once'));
      expect(resultTexts(await events(product.client, id)).at(-1)).toBe(
        'step 1\nstep 2\nstep 3\nstep 4\nstep 5',
      );
    });
  });
});
