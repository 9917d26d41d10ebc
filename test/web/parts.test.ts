import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { ALL_LOOKS, faultsInEachLook } from '../support/looks.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { openedForAll } from '../support/opened.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The shared parts by hand, in a real browser and under the content security policy of the product. */

jest.setTimeout(180_000);

describeInBrowser('shared parts (needs chromium)', () => {
  serveOnOnePort();
  const folder = temporaryFolder();
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  beforeAll(async () => {
    fs.copyFileSync(path.join(__dirname, '../../static/favicon.ico'), path.join(folder, 'favicon.ico'));
    await build({
      entryPoints: {
        main: path.join(__dirname, 'gallery/main.tsx'),
        style: path.join(__dirname, '../../web/main.css'),
      },
      outdir: folder,
      bundle: true,
      format: 'esm',
      splitting: true,
      jsx: 'automatic',
      conditions: ['@steadyhand/source', 'module'],
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    });
    fs.writeFileSync(
      path.join(folder, 'index.html'),
      `<!doctype html><html lang="en"><head><title>Parts</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <link rel="stylesheet" href="/static/style.css"></head><body><div id="root"></div>
      <script type="module" src="/static/main.js"></script></body></html>`,
    );
  }, 120_000);
  afterEach(async () => {
    await browser.closePage();
    await stopServers();
  });

  async function gallery(
    options: { colorScheme?: 'dark'; viewport?: { width: number; height: number } } = {},
  ): Promise<Page> {
    const { url } = await startServer({ staticDir: folder });
    const page = await browser.open(url, '/', options);
    await page.getByRole('heading', { name: 'Parts' }).waitFor();
    await page.getByRole('textbox', { name: 'Script' }).waitFor();
    return page;
  }

  test('a table of twenty thousand rows holds those in view, and goes through all of them by keys', async () => {
    const page = await gallery();
    const table = page.getByRole('grid', { name: 'Runs' });
    expect(await table.getByRole('row').count()).toBeLessThan(80);
    expect(await table.getAttribute('aria-rowcount')).toBe('20001');
    await table.getByRole('row', { name: /run-0 / }).focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=row]:focus', { hasText: 'run-1' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('End');
    await page.locator('[role=row]:focus', { hasText: 'run-19999' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('opened run-19999').waitFor();
    await page.keyboard.press('Home');
    await page.locator('[role=row]:focus', { hasText: 'run-0' }).waitFor();
    await table.getByRole('button', { name: 'Took' }).click();
    await table
      .getByRole('columnheader', { name: 'Took' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await table.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByText('20000 selected').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('a form says what is wrong in place, and sends what is right', async () => {
    const page = await gallery();
    const form = page.getByRole('form', { name: 'Order' });
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    const customer = form.getByRole('textbox', { name: /^customer/ });
    expect(await customer.getAttribute('aria-invalid')).toBe('true');
    await form.getByText('Expected at least one entry.').waitFor();
    await customer.fill('Ada');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByRole('textbox', { name: /^sku/ }).fill('TEA');
    await form.getByRole('textbox', { name: /^count/ }).fill('0');
    await form.getByText('Expected at least 1.').waitFor();
    await form.getByRole('textbox', { name: /^count/ }).fill('2');
    await form.getByRole('combobox', { name: 'priority' }).selectOption('high');
    await form.getByRole('textbox', { name: 'extra' }).fill('{"a":');
    await form.getByText(/This is no JSON/).waitFor();
    await form.getByRole('textbox', { name: 'extra' }).fill('{"a": [1]}');
    await form.getByRole('button', { name: 'Write it as JSON' }).click();
    expect(JSON.parse(await form.getByRole('textbox', { name: 'Order' }).inputValue())).toMatchObject({
      extra: { a: [1] },
    });
    await form.getByRole('button', { name: 'Fill in the form' }).click();
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.locator('output', { hasText: 'TEA' }).waitFor();
    expect(JSON.parse(await form.locator('output').innerText())).toEqual({
      customer: 'Ada',
      items: [{ sku: 'TEA', count: 2 }],
      priority: 'high',
      extra: { a: [1] },
    });
    expect(browser.complaints).toEqual([]);
  });

  test('a JSON tree folds, finds and copies', async () => {
    const page = await gallery();
    const tree = page.getByRole('group', { name: 'Context' });
    await tree.getByRole('button', { name: /^log/ }).waitFor();
    expect(await tree.getByText('"line 1"', { exact: true }).count()).toBe(1);
    await tree.getByRole('button', { name: '50 more' }).click();
    await tree.getByText('"line 149"').waitFor();
    await tree.getByRole('button', { name: /^order/ }).click();
    expect(await tree.getByText('"Ada"').count()).toBe(0);
    await tree.getByRole('searchbox', { name: 'Search in Context' }).fill('line 77');
    await tree.locator('mark').waitFor();
    expect(await tree.locator('mark').allInnerTexts()).toEqual(['line 77']);
    expect(browser.complaints).toEqual([]);
  });

  test('tabs go by arrow keys, a dialog holds and gives back the focus, a menu acts', async () => {
    const page = await gallery();
    await page.getByRole('tab', { name: 'Values' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Trace' }).waitFor();
    await page.getByRole('button', { name: 'Open the dialog' }).click();
    await page.getByRole('dialog', { name: 'A dialog' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open the dialog');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Reset' }).click();
    await page.getByRole('status', { name: 'Notifications' }).getByText('Reset.').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('the editor edits, within the content security policy', async () => {
    const page = await gallery();
    await page.getByRole('textbox', { name: 'Script' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('- say: bye');
    await page.locator('output', { hasText: '- say: bye' }).waitFor();
    const colour = await page
      .locator('.cm-gutters')
      .evaluate((gutter) => getComputedStyle(gutter).backgroundColor);
    expect(colour).not.toBe('rgba(0, 0, 0, 0)');
    expect(browser.complaints).toEqual([]);
  });

  test('panes are divided by keys, and stand below one another on a phone', async () => {
    const page = await gallery();
    const divider = page.getByRole('separator', { name: 'Width of the first pane' });
    await divider.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await divider.getAttribute('aria-valuenow')).toBe('58');
    await page.setViewportSize({ width: 360, height: 740 });
    await divider.waitFor({ state: 'hidden' });
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overhang).toBe(0);
  });

  test('all of them are in order in each look', async () => {
    const page = await gallery();
    await page
      .getByRole('form', { name: 'Order' })
      .getByRole('button', { name: 'Send', exact: true })
      .click();
    expect(await faultsInEachLook(page, 'parts', { looks: ALL_LOOKS })).toEqual([]);
  });
});
