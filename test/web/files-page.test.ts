import type { Page } from 'playwright-core';
import { serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { faultsInEachLook } from '../support/looks.ts';
import { openedForAll } from '../support/opened.ts';

/** The pages of files in a real browser, over the real routes. */

jest.setTimeout(180_000);

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeInBrowser('files (needs chromium)', () => {
  serveOnOnePort();
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  afterEach(async () => {
    await browser.closePage();
    await stopServers();
  });
  const table = (page: Page) => page.getByRole('grid', { name: 'Files' });

  test('many files are dropped, found, looked at, downloaded and deleted', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/files');
    await page.getByText('No file yet').waitFor();
    await dropFiles(page, [
      ['notes.md', 'text/markdown', 'A line to read.'],
      ['data.json', 'application/json', '{"answer":{"is":42}}'],
      ['tool.bin', 'application/octet-stream', '\u0000\u0001'],
    ]);
    await page.getByText('3 of 3 files have arrived').waitFor();
    await table(page).getByRole('row').nth(3).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByText('JSON', { exact: true }).click();
    await page.waitForURL(/kind=json/);
    expect(await table(page).getByRole('row').count()).toBe(2);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.keyboard.press('Enter');
    await page.getByText('No file is like that').waitFor();
    await page.goBack();
    await table(page).getByRole('link', { name: 'data.json' }).click();
    await page.getByRole('group', { name: 'data.json' }).getByText('42').waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await coming).suggestedFilename()).toBe('data.json');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('alertdialog', { name: 'Delete “data.json”?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.waitForURL(/\/files$/);

    await table(page).getByRole('link', { name: 'tool.bin' }).click();
    await page.getByText('Files of this type are not shown here.').waitFor();
    await page.goBack();
    await table(page).getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No file yet').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('the palette finds a file, a picture is shown, and one that is gone is said to be', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/files');
    await page.locator('input[type=file]').setInputFiles({
      name: 'pixel.png',
      mimeType: 'image/png',
      buffer: Buffer.from(PIXEL, 'base64'),
    });
    await page.getByText('1 of 1 file has arrived').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('pixel');
    await page.getByRole('option', { name: 'pixel.png' }).click();
    const picture = page.getByRole('img', { name: 'pixel.png' });
    await picture.and(page.locator('[src^="blob:"]')).waitFor();
    expect(
      await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(1);
    await page.goto(`${url}/files/file_1`);
    await page.getByText('There is no such file').waitFor();
  });

  test('says when a file is refused, and is in order in each look', async () => {
    const { url, server } = await startServer();
    const page = await browser.open(url, '/files');
    await page.getByText('No file yet').waitFor();
    await server.close(0);
    await dropFiles(page, [['late.txt', 'text/plain', 'too late']]);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('The server cannot be reached.').waitFor();
    await uploads.getByRole('button', { name: 'Send late.txt again' }).waitFor();
    expect(await faultsInEachLook(page, 'a file that was not sent')).toEqual([]);
    await uploads.getByRole('button', { name: 'Forget late.txt' }).click();
    await uploads.waitFor({ state: 'detached' });
  });
});

/** Drops files on the page, as somebody does with a mouse. */
async function dropFiles(
  page: Page,
  files: readonly (readonly [name: string, type: string, content: string])[],
): Promise<void> {
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const [name, type, content] of given) data.items.add(new File([content], name, { type }));
    return data;
  }, files);
  await page.dispatchEvent('.file-drop', 'drop', { dataTransfer: transfer });
}
