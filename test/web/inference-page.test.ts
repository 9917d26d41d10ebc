import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { clientKey } from '../../server/auth/client-key.ts';
import { startService, stopServices } from '../server/inference/service.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { serveOnOnePort } from '../server/harness.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { constantModel, identityModel } from '../support/onnx.ts';
import { openedForAll } from '../support/opened.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The page that tries image models, in a real browser, against real models in their workers. */

const MODELS = {
  boxes: {
    onnx: constantModel({
      inputs: [{ name: 'images', shape: [1, 3, 32, 32] }],
      outputs: {
        output0: { shape: [1, 2, 6], data: [0, 0, 16, 16, 0.9, 1, 8, 16, 32, 32, 0.5, 0] },
      },
    }),
    sidecar: { layout: 'yolov10', labels: ['cat', 'dog'] },
  },
  tensors: { onnx: identityModel({ shape: [1, 3, 4, 4] }), sidecar: { task: 'tensor' } },
};

/** Turned by its EXIF entry: 48 x 64 as it stands in the file, 64 x 48 as it is seen. */
function turnedPicture(): Promise<Buffer> {
  return sharp({ create: { width: 48, height: 64, channels: 3, background: { r: 30, g: 30, b: 30 } } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

// Everything has to be built and loaded on whatever machine this is.
jest.setTimeout(180_000);

describeInBrowser('the inference page (needs chromium)', () => {
  serveOnOnePort();
  const folder = temporaryFolder();
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  afterEach(async () => {
    await browser.closePage();
    await stopServices();
  });

  async function choose(page: Page, buffer: Buffer, name = 'picture.jpg'): Promise<void> {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  }

  test('draws what was found over the picture, in the picture’s own pixels', async () => {
    const { url } = await startService(MODELS);
    const page = await browser.open(url, '/');
    await page.getByRole('link', { name: 'Images', exact: true }).click();
    await page.getByRole('region', { name: 'Models' }).getByText('boxes').waitFor();
    expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('boxes');
    await choose(page, await turnedPicture());

    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('dog').waitFor();
    expect(await results.getByRole('listitem').allInnerTexts()).toEqual(['dog\n0.90', 'cat\n0.50']);
    const drawing = page.getByRole('img', { name: '2 found' });
    expect(await drawing.getAttribute('viewBox')).toBe('0 0 64 48');
    expect(
      await drawing.locator('polygon').evaluateAll((all) => all.map((each) => each.getAttribute('points'))),
    ).toEqual(['0,0 32,0 32,24 0,24', '16,24 64,24 64,48 16,48']);
    // The drawing lies exactly on the picture, which has its size once it is decoded.
    const shown = page.getByRole('img', { name: 'picture.jpg' });
    await shown.evaluate((image: HTMLImageElement) => image.decode());
    const [picture, lines] = await Promise.all([shown.boundingBox(), drawing.boundingBox()]);
    expect(lines).toEqual(picture);
    expect((picture?.width ?? 0) / (picture?.height ?? 1)).toBeCloseTo(64 / 48, 1);
    const timings = page.getByRole('region', { name: 'Timings' });
    await timings.getByText('boxes, 64 × 48 pixels').waitFor();
    for (const stage of ['decode', 'queue', 'preprocess', 'inference', 'postprocess', 'total']) {
      await timings.getByText(stage, { exact: true }).waitFor();
    }
    await results.getByText('cat').hover();
    expect(await drawing.locator('polygon.pointed').getAttribute('points')).toBe('16,24 64,24 64,48 16,48');

    await page.getByLabel('Model', { exact: true }).selectOption('tensors');
    await results.getByText('FP32 1 × 3 × 4 × 4, 30 to 30, mean 30').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('takes a picture that is dropped on it', async () => {
    const { url } = await startService(MODELS);
    const page = await browser.open(url, '/inference');
    const data = await page.evaluateHandle(
      async (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.jpg', { type: 'image/jpeg' }));
        return transfer;
      },
      [...(await turnedPicture())],
    );
    const target = page.getByRole('region', { name: 'Picture' });
    await target.dispatchEvent('dragover', { dataTransfer: data });
    await target.dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('region', { name: 'Results' }).getByText('dog').waitFor();
    await page.getByRole('img', { name: 'dropped.jpg' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('many pictures, their layers, the answer’s JSON, and the same call elsewhere', async () => {
    const { url } = await startService(MODELS);
    const page = await browser.open(url, '/inference');
    const buffer = await turnedPicture();
    const names = ['one.jpg', `it's "two"; really.jpg`, 'three.jpg'];
    await page
      .locator('input[type=file]')
      .setInputFiles(names.map((name) => ({ name, mimeType: 'image/jpeg', buffer })));
    const strip = page.getByRole('group', { name: 'Pictures' });
    await strip.getByText('1 of 3').waitFor();
    await page.getByRole('img', { name: '2 found' }).waitFor();
    await page.keyboard.press('.');
    await strip.getByText('2 of 3').waitFor();
    await page.getByRole('img', { name: names[1] ?? '', exact: true }).waitFor();

    const layers = page.getByRole('group', { name: 'What is drawn' });
    const drawing = page.locator('.marked svg');
    await drawing.locator('text.label').first().waitFor();
    expect(await drawing.locator('text.label').allTextContents()).toEqual(['dog 0.90', 'cat 0.50']);
    await layers.getByRole('checkbox', { name: 'Labels' }).uncheck();
    await drawing.locator('text.label').first().waitFor({ state: 'detached' });
    await layers.getByRole('checkbox', { name: 'cat (1)' }).uncheck();
    await page.getByRole('img', { name: '1 found' }).waitFor();
    await page.waitForURL(/hide=labels&without=cat/);
    expect(await drawing.locator('polygon').count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('group', { name: 'Answer' }).getByText('"boxes"').first().waitFor();
    await page.getByRole('tab', { name: 'The same call' }).click();
    await page.waitForURL(/tab=call/);
    fs.writeFileSync(path.join(folder, names[1] ?? ''), buffer);
    const code = async (language: string): Promise<string> => {
      await page.getByRole('radio', { name: language }).check({ force: true });
      const shown = page.getByRole('region', { name: `The same call in ${language}` });
      return (await shown.textContent()) ?? '';
    };
    const run = async (file: string, args: readonly string[]): Promise<unknown> => {
      const { stdout } = await promisify(execFile)(file, [...args], { cwd: folder });
      return JSON.parse(stdout) as unknown;
    };
    const answer = { model: 'boxes', image: { width: 64, height: 48 }, detections: [{ label: 'dog' }, {}] };
    expect(await run('sh', ['-c', await code('curl')])).toMatchObject(answer);
    fs.writeFileSync(path.join(folder, 'call.mts'), await code('TypeScript'));
    // It has no types of its own, so that every Node takes it as JavaScript.
    fs.renameSync(path.join(folder, 'call.mts'), path.join(folder, 'call.mjs'));
    expect(await run(process.execPath, ['call.mjs'])).toMatchObject(answer);
    expect(await code('Python')).toContain('requests.post(');

    await strip.getByRole('button', { name: 'Picture 3: three.jpg' }).click();
    await strip.getByText('3 of 3').waitFor();
    expect(await strip.getByRole('button', { name: 'The next picture' }).isDisabled()).toBe(true);
    await strip.getByRole('button', { name: 'Put the pictures away' }).click();
    await page.getByText('Drop pictures here, or choose some.').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('says what the server refuses', async () => {
    const { url } = await startService(MODELS);
    const page = await browser.open(url, '/inference');
    await choose(page, Buffer.from('no picture at all'));
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect((await alert.innerText()).length).toBeGreaterThan(10);
    await choose(page, await turnedPicture());
    await page.getByRole('region', { name: 'Results' }).getByText('dog').waitFor();
    expect(await alert.count()).toBe(0);
  });

  test('sends the key where the server wants one', async () => {
    const key = 'sk-test-0123456789';
    const access = { kind: 'keys', keys: [clientKey(key)] } as const;
    const { url } = await startService(MODELS, { server: { access } });
    const page = await browser.open(url, '/inference');
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Continue' }).click();
    await choose(page, await turnedPicture());
    await page.getByRole('region', { name: 'Results' }).getByText('dog').waitFor();
    // The browser's own word about the first request, which had no key yet.
    expect(browser.complaints.filter((complaint) => !complaint.includes('401 (Unauthorized)'))).toEqual([]);
  });

  test.each([320, 768, 1280])('nothing is cut off at %i pixels of width', async (width) => {
    const { url } = await startService(MODELS);
    const page = await browser.open(url, '/inference', { viewport: { width, height: 800 } });
    await choose(page, await turnedPicture());
    await page.getByRole('region', { name: 'Results' }).getByText('dog').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    expect(browser.complaints).toEqual([]);
  });
});
