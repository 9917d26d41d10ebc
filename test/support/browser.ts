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
  /** Opens a page of the server at `url` in a context of its own; the one before is closed. */
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
  let context: BrowserContext | undefined;

  return {
    complaints,
    async open(url, pathname, options = {}) {
      await context?.close();
      complaints.length = 0;
      // What moves for ever costs a tenth of a processor, as it is painted without a graphics card.
      context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
        ...options,
      });
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
      await page.goto(`${url}${pathname}`);
      return page;
    },
    async closePage() {
      await context?.close();
      context = undefined;
    },
    close: () => browser.close(),
  };
}
