import type { Page } from 'playwright-core';
import { startServer, stopServers } from '../server/harness.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { LOOKS } from '../support/looks.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { openedForAll } from '../support/opened.ts';
import { seedMany, seedTools } from './seed-tools.ts';

/** A session's page in a real browser: its turns, its time, what it asks and what it cost. */

jest.setTimeout(120_000);

describeInBrowser('the page of a session (needs chromium)', () => {
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  afterEach(async () => {
    await browser.closePage();
    await stopServers();
  });
  const address = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

  test('each tool use is shown as what it is', async () => {
    const { url, store } = await startServer();
    const session = await seedTools(store);
    const page = await browser.open(url, `/sessions/${session.id}`, {
      viewport: { width: 1280, height: 6000 },
    });
    const turns = page.getByRole('list', { name: 'Turns' });
    await turns.getByText('Now close it.').waitFor();
    expect(await turns.locator('.ansi-red.ansi-bold').allInnerTexts()).toEqual(['FAIL']);
    expect(await turns.locator('.found mark').allInnerTexts()).toEqual(['total', 'total']);
    expect(await turns.locator('.diff-line.gone').allInnerTexts()).toEqual([
      expect.stringContaining('let total = 1;'),
    ]);
    expect(await turns.locator('.diff-line.new').allInnerTexts()).toEqual([
      expect.stringContaining('let total = 0;'),
    ]);
    expect(await turns.locator('.diff-line.same').count()).toBe(1);
    await turns
      .getByRole('group', { name: '/home/agent/NOTES.md' })
      .getByText('The sum began at 1.')
      .waitFor();
    await turns.getByRole('group', { name: 'Keys: ctrl+s' }).getByText('ctrl').waitFor();
    await turns.getByRole('group', { name: 'Typed: bread' }).getByText('⏎').waitFor();
    await turns.getByRole('group', { name: 'Input of weather' }).getByText('"Oslo"').waitFor();
    // The click: its place on the picture before it and after it.
    for (const when of ['Before', 'After']) {
      const figure = turns.locator('figure', {
        has: page.getByRole('img', { name: `${when}: left click at 256, 192` }),
      });
      const dot = figure.locator('circle.dot');
      await dot.waitFor();
      const [image, place] = await Promise.all([figure.locator('img').boundingBox(), dot.boundingBox()]);
      if (image === null || place === null) throw new Error('not shown');
      expect((place.x + place.width / 2 - image.x) / image.width).toBeCloseTo(0.25, 1);
      expect((place.y + place.height / 2 - image.y) / image.height).toBeCloseTo(0.25, 1);
    }
    // Bookkeeping is one click away.
    expect(await page.getByText('span.model_request_end').count()).toBe(0);
    await page.getByRole('tab', { name: 'Log' }).click();
    const [span] = [page.getByRole('button', { name: /span\.model_request_end/ }).first()];
    await span.click();
    await page
      .getByText('"cache_read_input_tokens"')
      .or(page.getByText('cache_read_input_tokens'))
      .first()
      .waitFor();
    expect(address(page).get('view')).toBe('log');
    expect(browser.complaints).toEqual([]);
  });

  test('the scrubber, the keys and the address show the same moment', async () => {
    const { url, store } = await startServer();
    const session = await seedTools(store);
    const page = await browser.open(url, `/sessions/${session.id}`);
    const screen = page.getByRole('region', { name: 'Screen' });
    const time = page.getByRole('region', { name: 'Time' });
    await time.getByText('newest', { exact: true }).waitFor();
    await time.getByRole('button', { name: 'Screenshot 2: left click at 256, 192' }).click();
    await screen.locator('circle.dot').waitFor();
    const at = address(page).get('at');
    expect(at).toMatch(/^sevt_/);
    await page.locator('[aria-current=true]', { hasText: 'left click at 256, 192' }).waitFor();
    expect(await time.getByRole('slider').getAttribute('aria-valuetext')).toBe('left click at 256, 192');

    // The address alone shows the same.
    await page.reload();
    await screen.getByRole('img', { name: 'The screen after: left click at 256, 192' }).waitFor();
    await screen.locator('circle.dot').waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await screen.getByRole('img', { name: /type “bread/ }).waitFor();
    expect(address(page).get('at')).not.toBe(at);
    await page.keyboard.press('k');
    await screen.locator('circle.dot').waitFor();
    expect(address(page).get('at')).toBe(at);
    await page.keyboard.press('e');
    await page.locator('[aria-current=true]', { hasText: 'npm test' }).waitFor();

    // Sixteen times as fast, it plays to the end and follows the newest again.
    await time.getByLabel('Speed').selectOption('16');
    await time.getByRole('button', { name: 'Play' }).click();
    await time.getByText('newest', { exact: true }).waitFor();
    expect(address(page).get('at')).toBeNull();
    expect(browser.complaints).toEqual([]);
  });

  test('a click that waits is drawn on the screen, and a no carries its reason', async () => {
    const { url, store } = await startServer();
    const session = await seedTools(store);
    const page = await browser.open(url, `/sessions/${session.id}`);
    await page.getByText('Now close it.').waitFor();
    const toolUse = await session.use('computer', { action: 'left_click', coordinate: [740, 120] }, 'ask');
    const question = page.getByRole('group', { name: 'The agent asks: left click at 740, 120' });
    await question.waitFor();
    const mark = page.getByRole('region', { name: 'Screen' }).locator('.place-mark.pending');
    await mark.waitFor();
    expect(await mark.getAttribute('data-x')).toBe('740');
    await question.getByLabel('Reason for a no').fill('Keep it open.');
    await question.getByRole('button', { name: 'Deny' }).click();
    await question.waitFor({ state: 'detached' });
    const [sent] = await store.events.read({ session: session.id, types: ['user.tool_confirmation'] });
    expect(sent?.payload).toMatchObject({
      tool_use_id: toolUse,
      result: 'deny',
      deny_message: 'Keep it open.',
    });
    await mark.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Policy' }).click();
    await page.getByText('a person said no: Keep it open.').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('costs are summed, by turn and in all', async () => {
    const { url, store } = await startServer();
    const session = await seedTools(store);
    const page = await browser.open(url, `/sessions/${session.id}?view=cost`);
    const table = page.getByRole('table', { name: 'By turn' });
    await table.waitFor();
    const cells = async (row: number): Promise<string[]> =>
      (await table.getByRole('row').nth(row).getByRole('cell').allInnerTexts()).slice(0, 4);
    expect(await cells(1)).toEqual(['3,300', '360', '18,000', '2,400']);
    expect(await cells(2)).toEqual(['2,100', '60', '9,000', '1,200']);
    const sums = await page.getByLabel('Sum').innerText();
    expect(sums).toMatch(/Tokens in\s+5,400\s+Tokens out\s+420\s+Read from the cache\s+27,000/);
    await page.getByText('This session has no limits.').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('10,000 events scroll from end to end without a long task', async () => {
    const { url, store } = await startServer();
    const session = await seedTools(store);
    await seedMany(session, 10_000);
    const page = await browser.open(url, `/sessions/${session.id}`);
    await page.getByText('echo step 4999').waitFor();
    expect(await page.getByRole('list', { name: 'Turns' }).getByRole('listitem').count()).toBeLessThan(80);
    const most = await page.evaluate(async () => {
      const box = document.querySelector('.turn-box');
      if (box === null) throw new Error('no turns');
      let rows = 0;
      for (let step = 60; step >= 0; step -= 1) {
        box.scrollTop = (box.scrollHeight * step) / 60;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        rows = Math.max(rows, box.querySelectorAll('[role=listitem], li').length);
      }
      return rows;
    });
    // However far one scrolls, no more rows are drawn than about what is in view.
    expect(most).toBeLessThan(200);
    // Rows that were measured on the way have moved what is in view.
    await page.locator('.turn-box').evaluate((box) => (box.scrollTop = 0));
    await page.getByText('Fix the failing test').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test.each([...LOOKS])(
    'axe finds nothing in %s at %i pixels, and nothing is cut off',
    async (colorScheme, width) => {
      const { url, store } = await startServer();
      const session = await seedTools(store);
      await session.use('computer', { action: 'left_click', coordinate: [740, 120] }, 'ask');
      const found: Record<string, unknown> = {};
      const page = await browser.open(url, `/sessions/${session.id}`, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      await page.getByRole('group', { name: /The agent asks/ }).waitFor();
      for (const view of ['Turns', 'Cost', 'Network', 'Files', 'Policy', 'Log']) {
        await page.getByRole('tab', { name: view }).click();
        await page.getByRole('tab', { name: view, selected: true }).waitFor();
        const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        found[view] = [
          ...(await accessibilityFaults(page)),
          ...(overhang > 0 ? [`${overhang} cut off`] : []),
        ];
        if (process.env['PICTURES'] !== undefined)
          await page.screenshot({
            path: `${process.env['PICTURES']}/${colorScheme}-${width}-${view}.png`,
            fullPage: width === 360,
          });
      }
      expect(Object.entries(found).filter(([, faults]) => (faults as unknown[]).length > 0)).toEqual([]);
    },
  );
});
