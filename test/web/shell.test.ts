import type { Page } from 'playwright-core';
import { createWorkflowService, type WorkflowServiceOptions } from '../../temporal/index.ts';
import { serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { openedForAll } from '../support/opened.ts';
import { connectTemporal, type TestTemporal } from '../support/temporal.ts';
import { seedSession } from './seed.ts';

/** What is around every page: navigation, palette, keys, theme, and what is said when the server is away. */

jest.setTimeout(180_000);

describeInBrowser('the shell (needs chromium)', () => {
  serveOnOnePort();
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  let engine: TestEngine;
  let temporal: TestTemporal;
  beforeAll(async () => {
    engine = await startTestEngine();
    temporal = await connectTemporal(engine.connection);
  }, 120_000);
  afterAll(async () => {
    await temporal.close();
    await engine.stop();
  });
  /** The room of workflows asks the engine. */
  const startWithEngine = (): ReturnType<typeof startServer> =>
    startServer({
      workflows: createWorkflowService({
        connection: temporal.client.connection as WorkflowServiceOptions['connection'],
        namespace: 'default',
        engine: 'embedded',
        scrub: (text) => text,
        machines: async () => await Promise.resolve({}),
      }),
    });
  afterEach(async () => {
    await browser.closePage();
    await stopServers();
  });

  const pathOf = (page: Page): string => new URL(page.url()).pathname;
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent ?? '');

  test('the navigation leads everywhere, names the document and puts the focus on the heading', async () => {
    const { url } = await startWithEngine();
    const page = await browser.open(url, '/');
    const rooms = page.getByRole('navigation', { name: 'Rooms' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The page that is shown comes last, so that each click goes somewhere.
    const entries = (await rooms.getByRole('link').all()).toReversed();
    expect(entries.length).toBeGreaterThan(2);
    for (const entry of entries) {
      const name = await entry.innerText();
      await entry.click();
      await page.locator('[aria-current=page]', { hasText: name }).waitFor();
      await page.locator('h1:focus').waitFor();
      expect(await page.title()).toMatch(/Steadyhand$/);
    }
    expect(browser.complaints).toEqual([]);
  });

  test('the first Tab offers to skip the navigation', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/sessions');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  test('the palette goes to rooms, finds sessions by title and changes the theme, by keys alone', async () => {
    const { url, store } = await startWithEngine();
    const { id } = await seedSession(store, 'Water the plants');
    const page = await browser.open(url, '/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.getByRole('combobox').fill('sess');
    await palette.getByRole('option', { name: /^Sessions/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: 'Sessions' }).waitFor();
    expect(pathOf(page)).toBe('/sessions');

    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('plants');
    await palette.getByRole('option', { name: 'Water the plants' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Water the plants' }).waitFor();
    expect(pathOf(page)).toBe(`/sessions/${id}`);

    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('theme dark');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('no such thing');
    await palette.getByText('Nothing is called so.').waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(browser.complaints).toEqual([]);
  });

  test('? lists the keys, g and a letter goes to a room, and single keys can be switched off', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('heading', { name: 'Images' }).waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Search and commands').waitFor();
    await keys.getByRole('checkbox', { name: 'Single keys do something' }).uncheck();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    expect(await keys.count()).toBe(0);
  });

  test('a key typed into a field is text', async () => {
    const { url, store } = await startServer();
    const { id } = await seedSession(store, 'Talk');
    const page = await browser.open(url, `/sessions/${id}`);
    await page.getByLabel('Message').pressSequentially('gs? ');
    expect(await page.getByLabel('Message').inputValue()).toBe('gs? ');
    expect(pathOf(page)).toBe(`/sessions/${id}`);
  });

  test('the theme is the system’s until another is chosen, which is kept', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/', { colorScheme: 'dark' });
    const ground = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const dark = await ground();
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    expect(dark).not.toBe(light);
    await page.getByRole('button', { name: 'Theme: as the system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    expect(await ground()).toBe(dark);
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await ground()).toBe(dark);
    await page.getByRole('button', { name: 'Theme: dark' }).click();
    expect(await ground()).toBe(light);
  });

  test('says that the server is away, keeps what it shows, and goes on by itself', async () => {
    const running = await startServer();
    await seedSession(running.store, 'Steady');
    const page = await browser.open(running.url, '/sessions');
    await page.getByRole('row', { name: /Steady/ }).waitFor();
    await running.server.close(0);
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await page.getByRole('row', { name: /Steady/ }).count()).toBe(1);

    await seedSession(running.store, 'New meanwhile');
    const { createSessions } = await import('../../sessions/index.ts');
    await startServer({ port: running.port, sessions: createSessions({ store: running.store }) });
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /New meanwhile/ }).waitFor();
    await page.getByRole('log').getByText('The server is back.').waitFor();
  });

  test('an address that leads nowhere says so, inside the page', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/system/nothing/here');
    await page.getByText('There is no page here').waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: 'Welcome to Steadyhand' }).waitFor();
    expect(pathOf(page)).toBe('/');
  });

  test('on a phone the navigation is behind a button', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/', { viewport: { width: 360, height: 740 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('No session yet').waitFor();
    expect(await menu.count()).toBe(0);
  });
});
