/**
 * `node scripts/docs-pictures.mjs [name...]`: takes the pictures of the README and of docs/ui.md. It starts the product in an empty
 * folder, begins demos by their buttons in a real browser, as somebody does who sees it for the first time, and takes a picture
 * of each page once it shows what it should. Needs Chromium and the desktop's Debian packages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { root } from './lib/root.mjs';

/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Picture
 * @property {string} name of the file docs/images/<name>.png
 * @property {string} place
 * @property {(page: Page) => Promise<unknown>} ready waits until the page shows what it should, and may click on the way
 * @property {'light' | 'dark'} [theme] light unless given
 * @property {number} [width] in pixels; 1280 unless given
 */

const HEIGHT = 800;
const READY = /^Steadyhand ready on (\S+)/;
const chosen = process.argv.slice(2);

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'docs-pictures-'));
const product = spawn(process.execPath, ['--enable-source-maps', path.join(root, 'dist/main.mjs')], {
  env: { ...process.env, DATA_DIR: dataDir, PORT: '0', ENGINE_PORT: '0', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const url = await address();
  const shopping = await begin(url, 'Demo: a shopping list');
  const approval = await begin(url, 'Demo: an approval');
  await finished(url, shopping);
  for (const picture of pictures({ shopping, approval })) {
    if (chosen.length === 0 || chosen.includes(picture.name)) await take(url, picture);
  }
} finally {
  await browser.close();
  product.kill('SIGTERM');
  await once(product, 'exit');
  fs.rmSync(dataDir, { recursive: true, force: true });
}

/**
 * @param {{ readonly shopping: string, readonly approval: string }} sessions
 * @returns {readonly Picture[]}
 */
function pictures({ shopping, approval }) {
  const workflow = `/workflows/${encodeURIComponent(`session/${shopping}`)}`;
  return [
    {
      name: 'session',
      place: `/sessions/${shopping}`,
      ready: async (page) => {
        await page.getByText('Script: finished').first().waitFor();
        await page.getByRole('region', { name: 'Screen' }).getByRole('img').first().waitFor();
      },
    },
    {
      name: 'ui-start',
      place: '/',
      ready: (page) =>
        page
          .getByRole('button', { name: /^Start: / })
          .first()
          .waitFor(),
    },
    {
      name: 'ui-approval',
      place: `/sessions/${approval}`,
      ready: (page) => page.getByRole('group', { name: /^The agent asks/ }).waitFor(),
      theme: 'dark',
    },
    {
      name: 'ui-cost',
      place: `/sessions/${shopping}?view=cost`,
      ready: (page) => page.getByText('Model requests').first().waitFor(),
    },
    {
      name: 'ui-workflows',
      place: '/workflows',
      ready: (page) =>
        page
          .getByRole('row', { name: /session\// })
          .first()
          .waitFor(),
    },
    {
      name: 'ui-history',
      place: `${workflow}?tab=compact`,
      ready: (page) => page.getByRole('list', { name: 'History' }).getByRole('listitem').first().waitFor(),
    },
    {
      name: 'ui-timeline',
      place: `${workflow}?tab=timeline`,
      ready: (page) => page.getByRole('group', { name: /^Timeline of/ }).waitFor(),
      theme: 'dark',
    },
    {
      name: 'ui-steps',
      place: `${workflow}?tab=steps`,
      ready: (page) => page.locator('[data-line]').first().waitFor(),
    },
    {
      name: 'ui-statechart',
      place: `/statechart/${encodeURIComponent(`session/${shopping}`)}`,
      ready: (page) => page.locator('g.state.active').first().waitFor(),
    },
    {
      name: 'ui-machine',
      place: `/sessions/${shopping}?view=machine`,
      ready: (page) => page.locator('g.state.active').first().waitFor(),
    },
    {
      name: 'ui-scripts',
      place: '/scripts',
      ready: (page) => page.getByText('No errors').waitFor(),
    },
    {
      name: 'ui-sandbox',
      place: `/sandboxes`,
      ready: async (page) => {
        await page.getByRole('main').getByRole('link').first().click();
        await page.getByRole('tab', { name: 'By hand' }).waitFor();
        await page.locator('canvas').first().waitFor();
      },
      theme: 'dark',
    },
    {
      name: 'ui-agent',
      place: '/agents/new',
      ready: (page) => page.getByRole('textbox', { name: /^Name/ }).waitFor(),
    },
    {
      name: 'ui-system',
      place: '/system',
      ready: (page) => page.getByText('can be written').waitFor(),
    },
    {
      name: 'ui-images',
      place: '/inference',
      ready: async (page) => {
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles(path.join(root, 'docs/images/session.png'));
        await page.getByText('total', { exact: true }).waitFor({ timeout: 60_000 });
      },
    },
    {
      name: 'ui-phone',
      place: `/sessions/${approval}`,
      ready: (page) => page.getByRole('group', { name: /^The agent asks/ }).scrollIntoViewIfNeeded(),
      width: 360,
    },
  ];
}

/** @returns {Promise<string>} where the product serves */
async function address() {
  if (product.stdout === null) throw new Error('the product has no output');
  for await (const line of createInterface({ input: product.stdout })) {
    const found = READY.exec(line)?.[1];
    if (found === undefined) continue;
    product.stdout.resume();
    return found;
  }
  throw new Error('the product ended before it was ready');
}

/**
 * Begins a demo by its button.
 * @param {string} url
 * @param {string} title
 * @returns {Promise<string>} the session's id
 */
async function begin(url, title) {
  const page = await browser.newPage();
  await page.goto(`${url}/`);
  await page.getByRole('button', { name: `Start: ${title}` }).click();
  await page.getByRole('heading', { name: title }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.close();
  return id;
}

/**
 * Waits until a session has said its last words.
 * @param {string} url
 * @param {string} session
 */
async function finished(url, session) {
  const page = await browser.newPage();
  await page.goto(`${url}/sessions/${session}`);
  await page.getByText('Script: finished').first().waitFor({ timeout: 180_000 });
  await page.close();
}

/**
 * @param {string} url
 * @param {Picture} picture
 */
async function take(url, { name, place, ready, theme = 'light', width = 1280 }) {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.goto(`${url}${place}`);
  await ready(page);
  const picture = await still(page);
  const file = path.join(root, 'docs/images', `${name}.png`);
  await sharp(picture).png({ palette: true, colours: 128, effort: 10 }).toFile(file);
  console.log(`${name}: ${Math.round(fs.statSync(file).size / 1000)} kB`);
  await context.close();
}

/**
 * The page once it stands still.
 * @param {Page} page
 */
async function still(page) {
  let before = await page.screenshot({ animations: 'disabled' });
  for (let again = 0; again < 20; again += 1) {
    await page.waitForTimeout(300);
    const now = await page.screenshot({ animations: 'disabled' });
    if (now.equals(before)) return now;
    before = now;
  }
  return before;
}
