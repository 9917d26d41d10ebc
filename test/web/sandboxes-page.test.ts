import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/axe.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { faultsInEachLook } from '../support/looks.ts';
import { openedForAll } from '../support/opened.ts';
import { productForAll } from '../support/product.ts';

/** The pages of sandboxes in a real browser, over the real product and a real computer. */

jest.setTimeout(240_000);

const missing = ['Xvfb', 'openbox', 'bwrap', 'x11vnc'].filter(
  (program) => !fs.existsSync(`/usr/bin/${program}`),
);
const describeHere = missing.length === 0 ? describeInBrowser : describe.skip;

describeHere('sandboxes (needs chromium, Xvfb, openbox, bubblewrap and x11vnc)', () => {
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  const product = productForAll();
  afterEach(() => browser.closePage());
  const open = (place: string, options: object = {}): Promise<Page> =>
    browser.open(product.url, place, options);
  const sandboxes = async (): Promise<readonly string[]> => {
    const { data } = (await (await fetch(`${product.url}/v1/sandboxes`)).json()) as {
      data: { id: string }[];
    };
    return data.map(({ id }) => id);
  };

  test('one is made, used by hand, and what came of it is shown', async () => {
    const page = await open('/sandboxes');
    await page.getByText('No sandbox yet').waitFor();
    await page.getByRole('button', { name: 'New sandbox' }).click();
    await page.getByLabel('Width in pixels').fill('');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Expected a number of pixels.').waitFor();
    await page.getByLabel('Width in pixels').fill('640');
    await page.getByLabel('Height in pixels').fill('480');
    await page.getByLabel('Network').selectOption('none');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/sandboxes\/sbx_/);
    await page.getByText('Live, view only').waitFor();
    await page.getByText('no network').first().waitFor();

    // A click whose place is pointed at on the live screen.
    await page.getByRole('button', { name: 'Point at the screen' }).click();
    const live = page.getByRole('img', { name: 'The screen, live' });
    const box = await live.boundingBox();
    if (box === null) throw new Error('the screen is not shown');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    expect(Number(await page.getByLabel('x', { exact: true }).inputValue())).toBeCloseTo(320, -1);
    expect(Number(await page.getByLabel('y', { exact: true }).inputValue())).toBeCloseTo(240, -1);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const runs = page.getByRole('list', { name: 'Run by hand' });
    const picture = runs.getByRole('img', { name: /^The screen after: left click at/ });
    expect(
      await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(640);

    await page.getByText('Shell', { exact: true }).click();
    await page.waitForURL(/action=bash\.run/);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.field-problem').first().waitFor();
    await page.getByRole('textbox', { name: /^command/ }).fill('echo $((6*7)) > sum.txt; cat sum.txt');
    await page.keyboard.press('Control+Enter');
    await runs.getByRole('group', { name: 'Output' }).getByText('42').waitFor();
    await page.getByText('Editor', { exact: true }).click();
    await page.getByLabel('Action').selectOption('editor.str_replace');
    await page.getByRole('textbox', { name: /^path/ }).fill('/home/agent/sum.txt');
    await page.getByRole('textbox', { name: /^old_str/ }).fill('43');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await runs.getByText('error', { exact: true }).waitFor();
    expect(await runs.getByRole('listitem').count()).toBe(3);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  test('its files are walked through, given, looked at, renamed, deleted and put back', async () => {
    const [id = ''] = await sandboxes();
    const page = await open(`/sandboxes/${id}?view=files`);
    const files = page.getByRole('list', { name: 'Files' });
    await files.getByRole('button', { name: 'sum.txt', exact: true }).waitFor();
    await page.locator('input[type=file]').setInputFiles([
      { name: 'ä b.json', mimeType: 'application/json', buffer: Buffer.from('{"held":["here"]}') },
      { name: 'other.txt', mimeType: 'text/plain', buffer: Buffer.from('a text') },
    ]);
    await page.getByText('2 of 2 files have arrived').waitFor();
    await files.getByRole('button', { name: 'ä b.json', exact: true }).click();
    await page.getByRole('group', { name: 'ä b.json' }).getByText('"here"').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Snapshots' }).click();
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    await page.getByRole('list', { name: 'Snapshots' }).getByRole('listitem').waitFor();
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'More about other.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('new name.txt');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'More about new name.txt' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await files.getByRole('button', { name: 'new name.txt', exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'Snapshots' }).click();
    await page.getByRole('button', { name: /^Put back the files of snap_/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Put back' }).click();
    await page.getByText('The files of the snapshot are back.').waitFor();
    await page.getByRole('tab', { name: 'Files' }).click();
    await files.getByRole('button', { name: 'other.txt', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Snapshots' }).click();
    await page.getByRole('button', { name: /^Delete snap_/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no snapshot yet.').waitFor();
  });

  test('the list and each view are in order in each look', async () => {
    const [id = ''] = await sandboxes();
    const page = await open('/sandboxes');
    await page.getByRole('img', { name: `The screen of ${id}` }).waitFor();
    expect(await faultsInEachLook(page, 'sandboxes')).toEqual([]);
    for (const view of ['hand', 'files', 'state', 'network']) {
      await page.goto(`${product.url}/sandboxes/${id}?view=${view}`);
      await page.getByText('Live, view only').waitFor();
      expect(await faultsInEachLook(page, view)).toEqual([]);
    }
  });

  test('one is ended, and said to be gone', async () => {
    const [id = ''] = await sandboxes();
    const page = await open(`/sandboxes/${id}?view=state`);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End it' }).click();
    await page.getByText('No sandbox yet').waitFor();
    expect(await sandboxes()).toEqual([]);
    await page.goto(`${product.url}/sandboxes/${id}`);
    await page.getByText('There is no such sandbox').waitFor();
  });
});
