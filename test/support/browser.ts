import fs from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildStale } from './built.ts';

const ROOT = path.resolve(__dirname, '../..');
/** The first one starts in a third of the time of the others. */
export const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((file) => fs.existsSync(file));

/** How long a page may take to show something: much on a loaded machine, yet less than a test may take, so that it is told what it was. */
export const PATIENCE_MS = 110_000;

/** Not installed means not tested: `npm test` installs it where it may. */
export const describeInBrowser = CHROMIUM === undefined ? describe.skip : describe;

/** A real browser that notes what a page must not do. */
export interface WatchedBrowser {
  /** Errors, warnings and broken policies in the console, failed requests, and requests that leave the server. */
  readonly complaints: readonly string[];
  /** Opens a page of the server at `url`, which knows nothing of the one before; that one is closed. */
  open(url: string, pathname: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  closePage(): Promise<void>;
  close(): Promise<void>;
}

/** Builds what is stale, checks that `file` is there, and starts the browser. */
export async function watchedBrowser(file: string): Promise<WatchedBrowser> {
  buildStale();
  if (!fs.existsSync(path.join(ROOT, file))) throw new Error(`${file} could not be built`);
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
  const complaints: string[] = [];
  let tab: Tab | undefined;

  async function leave(): Promise<void> {
    if (tab !== undefined && !(await emptied(tab))) {
      await tab.context.close();
      tab = undefined;
    }
  }

  return {
    complaints,
    async open(url, pathname, { viewport = VIEWPORT, colorScheme = 'light', ...others } = {}) {
      await leave();
      const kind = JSON.stringify([url, others]);
      if (tab?.kind !== kind) {
        await tab?.context.close();
        tab = await newTab(browser, { url, kind, complaints, options: { viewport, ...others } });
      }
      const { page } = tab;
      if (viewport !== null) await page.setViewportSize(viewport);
      // What moves for ever costs a tenth of a processor, as it is painted without a graphics card.
      await page.emulateMedia({ colorScheme, reducedMotion: others.reducedMotion ?? 'reduce' });
      complaints.length = 0;
      await page.goto(`${url}${pathname}`);
      return page;
    },
    closePage: leave,
    close: () => browser.close(),
  };
}

const VIEWPORT = { width: 1280, height: 900 };

/** A page with a context of its own. */
interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly url: string;
  /** The server and the options that it was made with, of which each other one needs a tab of its own. */
  readonly kind: string;
}

interface TabOptions {
  readonly url: string;
  readonly kind: string;
  readonly complaints: string[];
  readonly options: NonNullable<Parameters<Browser['newContext']>[0]>;
}

async function newTab(browser: Browser, { url, kind, complaints, options }: TabOptions): Promise<Tab> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that is left gives up what it still waits for.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason}: ${request.url().slice(0, 200)}`);
  });
  page.on('request', (request) => {
    const here = request.url().startsWith(`${url}/`) || /^(?:blob|data):/.test(request.url());
    if (!here) complaints.push(`left the server: ${request.url()}`);
  });
  return { context, page, url, kind };
}

/**
 * Leaves what a tab shows and clears what the page kept, so that the next page finds it as new. It stays with the server, as the
 * browser then keeps what it has compiled: a page costs less than half of one in a new context.
 * @returns false when it cannot be used again
 */
async function emptied({ context, page, url }: Tab): Promise<boolean> {
  try {
    await context.setOffline(false);
    await page.unrouteAll();
    await page.goto(`${url}/icon.svg`, { timeout: 10_000 });
    const others = context.pages().filter((other) => other !== page);
    await Promise.all(others.map((other) => other.close()));
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await context.clearCookies();
    return true;
  } catch {
    return false;
  }
}
