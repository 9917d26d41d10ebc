import fs from 'node:fs';
import { type Running, serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { faultsInEachLook } from '../support/looks.ts';
import { openedForAll } from '../support/opened.ts';

/** The pages of batches in a real browser, over the real routes; the store is told of results here, in place of a workflow. */

jest.setTimeout(180_000);

const params = (text: string): object => ({
  model: 'script',
  max_tokens: 10,
  messages: [{ role: 'user', content: text }],
});

/** A batch of so many requests. */
async function seedBatch({ url }: Running, count: number): Promise<string> {
  const requests = Array.from({ length: count }, (_, n) => ({
    custom_id: `r-${n}`,
    params: params(`ask ${n}`),
  }));
  const answer = await fetch(`${url}/v1/messages/batches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ requests }),
  });
  return ((await answer.json()) as { id: string }).id;
}

async function answerOne({ store }: Running, id: string, position: number, fails = false): Promise<void> {
  const error = { type: 'error', error: { type: 'api_error', message: `no ${position}` }, request_id: null };
  const message = { type: 'message', content: [{ type: 'text', text: `reply ${position}` }] };
  const type = fails ? 'errored' : 'succeeded';
  const json = JSON.stringify(fails ? { type, error } : { type, message });
  await store.batches.record(id, position, { type, json });
}

describeInBrowser('batches (needs chromium)', () => {
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

  test('one is made of prompts, and one of dropped lines once each is right', async () => {
    const running = await startServer();
    const page = await browser.open(running.url, '/batches');
    await page.getByText('No batch yet').waitFor();
    await page.getByRole('link', { name: 'New batch' }).first().click();
    await page.getByRole('textbox', { name: /^Prompts/ }).fill('one\n\ntwo');
    await page.getByRole('button', { name: 'Create a batch of 2 requests' }).click();
    await page.getByText('Expected the name of a model.').waitFor();
    await page.getByRole('combobox', { name: /^Model/ }).fill('script');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create a batch of 2 requests' }).click();
    await page.getByText('2 waiting of 2').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(running.runtimeCalls).toEqual([`deliver ${id}`]);

    await page.goto(`${running.url}/batches/new?by=lines`);
    const lines = [JSON.stringify({ custom_id: 'a', params: params('x') }), '{"custom_id":"a","params":{}}'];
    const choose = (text: string): Promise<void> =>
      page.locator('input[type=file]').setInputFiles({
        name: 'work.jsonl',
        mimeType: 'application/x-jsonl',
        buffer: Buffer.from(text),
      });
    await choose(lines.join('\n'));
    await page.getByText('1 line is right, 1 not.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Line 2' })
      .getByText('is the name of line 1')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await choose(lines[0] ?? '');
    await page.getByRole('button', { name: 'Create a batch of 1 request' }).click();
    await page.getByText('1 waiting of 1').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('one goes on while it is looked at, is canceled, and has its results in pages', async () => {
    const running = await startServer();
    const id = await seedBatch(running, 120);
    for (let n = 0; n < 60; n++) await answerOne(running, id, n, n === 7);
    const page = await browser.open(running.url, `/batches/${id}`);
    await page.getByText('59 succeeded, 1 failed, 60 waiting of 120').waitFor();
    await answerOne(running, id, 60);
    await page.getByText('60 succeeded, 1 failed, 59 waiting of 120').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the batch' }).click();
    await page.getByText('canceling').waitFor();
    await running.store.batches.end(id, 'canceled');
    await page.getByText('60 succeeded, 1 failed, 59 canceled of 120').waitFor();

    const rows = page.getByRole('grid', { name: 'Requests' }).getByRole('row');
    await rows.filter({ hasText: 'reply 3' }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/after=49/);
    await rows.filter({ hasText: 'r-55' }).waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByRole('radio', { name: /^Failed/ }).check({ force: true });
    await page.waitForURL(/status=errored/);
    await rows.filter({ hasText: 'api_error: no 7' }).focus();
    await page.keyboard.press('Enter');
    const request = page.getByRole('dialog', { name: 'r-7' });
    await request.getByText('"ask 7"').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Go to the request number' }).fill('110');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'r-110' }).getByText('canceled').waitFor();
    await page.keyboard.press('Escape');

    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the results' }).click();
    const text = fs.readFileSync(await (await coming).path(), 'utf8');
    expect(text.trim().split('\n').length).toBe(120);
    expect(browser.complaints).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No batch yet').waitFor();
    await page.goto(`${running.url}/batches/${id}`);
    await page.getByText('There is no such batch').waitFor();
  });

  test('each page is in order in each look', async () => {
    const running = await startServer();
    const id = await seedBatch(running, 3);
    await answerOne(running, id, 0);
    const page = await browser.open(running.url, '/batches');
    await page.getByRole('img', { name: '1 succeeded, 2 waiting' }).waitFor();
    for (const place of ['/batches', `/batches/${id}?request=0`, '/batches/new']) {
      await page.goto(`${running.url}${place}`);
      await page.locator('h1').waitFor();
      if (place.includes('request')) await page.getByRole('dialog').getByText('reply 0').first().waitFor();
      expect(await faultsInEachLook(page, place.replaceAll(/\W+/g, '-'))).toEqual([]);
    }
  });
});
