import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { clientKey } from '../../server/auth/client-key.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { constantModel } from '../support/onnx.ts';
import { startServer, stopServers } from './harness.ts';
import { startService, stopServices } from './inference/service.ts';
import { openedForAll } from '../support/opened.ts';
import { listening } from '../support/listening.ts';

/** The documentation pages in a real browser: they ask nothing of another host, break no policy and report no error. */

/** One box, whatever the picture: of 32 x 32 pixels it covers the left upper quarter. */
const BOXES = {
  onnx: constantModel({
    inputs: [{ name: 'images', shape: [1, 3, 32, 32] }],
    outputs: { output0: { shape: [1, 1, 6], data: [0, 0, 16, 16, 0.9, 1] } },
  }),
  sidecar: { layout: 'yolov10', labels: ['cat', 'dog'] },
};

function picture(): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
}

// Everything has to be built and loaded on whatever machine this is.
jest.setTimeout(180_000);

describeInBrowser('the documentation pages (need chromium)', () => {
  const browser = openedForAll(
    () => watchedBrowser('static/redoc.standalone.js'),
    (it) => it.close(),
    120_000,
  );
  const server = openedForAll(
    () => startServer(),
    () => stopServers(),
  );
  afterAll(() => stopServices());

  describe('Swagger UI', () => {
    // One page for all, as it takes the pages seconds to make sense of a description.
    let page: Page;
    beforeAll(async () => {
      page = await browser.open(server.url, '/docs');
      await page.locator('#operations-Analyze-analyze_analyze_post').waitFor();
    }, 180_000);
    afterAll(() => browser.closePage());

    test('shows what is described, and loads all of it from the server', async () => {
      expect(await page.title()).toBe('Steadyhand Inference Serving API - Swagger UI');
      // `defaultModelsExpandDepth: -1`
      expect(await page.locator('section.models').count()).toBe(0);
      const sources = await page.evaluate(() =>
        [...document.querySelectorAll('script[src], link[rel=stylesheet]')].map((element) =>
          element.getAttribute(element.tagName === 'SCRIPT' ? 'src' : 'href'),
        ),
      );
      expect(sources).toEqual(
        expect.arrayContaining(['/static/swagger-ui-bundle.js', '/static/swagger-ui.css']),
      );
      expect(browser.complaints).toEqual([]);
    });

    test.each([
      ['dark', 'rgb(28, 32, 34)'],
      ['light', 'rgba(0, 0, 0, 0)'],
    ] as const)('follows the system, while it is looked at, too (%s)', async (colorScheme, ground) => {
      const isDark = (): boolean => document.documentElement.classList.contains('dark-mode');
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(
        ([wanted]) => getComputedStyle(document.documentElement).backgroundColor === wanted,
        [ground],
      );
      expect(await page.evaluate(isDark)).toBe(colorScheme === 'dark');
      expect(browser.complaints).toEqual([]);
    });

    test('is dark from the first where the system is', async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.reload();
      await page.locator('#operations-Analyze-analyze_analyze_post').waitFor();
      expect(await page.evaluate(() => document.documentElement.classList.contains('dark-mode'))).toBe(true);
      expect(browser.complaints).toEqual([]);
    });

    test('is told what an authorization server answers', async () => {
      const authorizes = http.createServer((_req, res) => {
        res.writeHead(302, { location: `${server.url}/docs/oauth2-redirect?code=abc&state=xyz` }).end();
      });
      await listening(authorizes);
      const elsewhere = `http://127.0.0.1:${(authorizes.address() as AddressInfo).port}/authorize`;
      const got = await page.evaluate(
        (address) =>
          new Promise((resolve) => {
            // What Swagger UI leaves for the page that comes back.
            Object.assign(window, {
              swaggerUIRedirectOauth2: {
                state: 'xyz',
                redirectUrl: '/docs/oauth2-redirect',
                auth: { name: 'oauth', schema: new Map([['flow', 'authorizationCode']]) },
                callback: ({ auth }: { auth: { code: string } }) => resolve(auth.code),
                errCb: resolve,
              },
            });
            window.open(address);
          }),
        elsewhere,
      );
      expect(got).toBe('abc');
      expect(browser.complaints).toEqual([]);
      authorizes.close();
    });

    test('shows the agents’ description, too', async () => {
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      const operation = page.locator('#operations-Sessions-createSession');
      await operation.waitFor();
      expect(await page.title()).toBe('Steadyhand Agent API - Swagger UI');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.opblock-body').waitFor();
      // Where it says what it could not make sense of.
      expect(await page.locator('.errors-wrapper').count()).toBe(0);
      expect(browser.complaints).toEqual([]);
    });
  });

  test('ReDoc shows and searches both descriptions', async () => {
    const page = await browser.open(server.url, '/redoc');
    await page.locator('[id="tag/Analyze/operation/analyze_analyze_post"]').waitFor();
    expect(await page.title()).toBe('Steadyhand Inference Serving API - ReDoc');
    await page.getByPlaceholder('Search...').fill('vector');
    await page.getByRole('menuitem', { name: 'Vector Image' }).first().waitFor();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.locator('[id="tag/Sessions/operation/createSession"]').waitFor();
    expect(await page.title()).toBe('Steadyhand Agent API - ReDoc');
    expect(browser.complaints).toEqual([]);
    await browser.closePage();
  });

  async function tryAnalyze(page: Page): Promise<{ readonly status: string; readonly body: string }> {
    const operation = page.locator('#operations-Analyze-analyze_analyze_post');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const file = { name: 'picture.png', mimeType: 'image/png', buffer: await picture() };
    await operation.locator('input[type=file]').setInputFiles(file);
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table tbody tr.response').first();
    await answer.waitFor();
    const shown = {
      status: (await answer.locator('.response-col_status').innerText()).trim(),
      body: await answer.locator('.response-col_description pre').first().innerText(),
    };
    // Forgets the answer, and closes the operation.
    await operation.getByRole('button', { name: 'Clear' }).click();
    await answer.waitFor({ state: 'detached' });
    await operation.getByRole('button', { name: 'Cancel' }).click();
    await operation.locator('.opblock-summary-control').click();
    return shown;
  }

  test('“Authorize” sends the key in both ways, and “Try it out” a picture; what was found on it is shown', async () => {
    const key = 'sk-test-0123456789';
    const { url } = await startService(
      { boxes: BOXES },
      { server: { access: { kind: 'keys', keys: [clientKey(key)] } } },
    );
    const page = await browser.open(url, '/docs');
    for (const field of ['#api_key_value', '#http-bearer-value, #auth-bearer-value']) {
      await page.locator('.btn.authorize').click();
      const form = page.locator('.auth-container', { has: page.locator(field) });
      await form.locator(field).fill(key);
      await form.getByRole('button', { name: 'Apply credentials' }).click();
      // What was given stands in place of the field.
      const logout = page.getByRole('button', { name: 'Remove authorization' });
      await logout.waitFor();
      await page.getByRole('button', { name: 'Close' }).first().click();
      const { status, body } = await tryAnalyze(page);
      expect(status).toBe('200');
      expect(JSON.parse(body)).toMatchObject({
        model: 'boxes',
        image: { width: 64, height: 48 },
        detections: [{ box: [0, 0, 32, 24], label: 'dog', class_id: 1 }],
      });
      // The next one finds the page as new.
      await page.locator('.btn.authorize').click();
      await logout.click();
      await page.getByRole('button', { name: 'Close' }).first().click();
    }
    expect(browser.complaints).toEqual([]);
    await browser.closePage();
  });
});
