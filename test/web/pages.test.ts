import path from 'node:path';
import type { Page } from 'playwright-core';
import { clientKey } from '../../server/auth/client-key.ts';
import { END_TURN, statusIdle, statusRunning } from '../../sessions/index.ts';
import { type Running, serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { nextFrames } from '../support/next-frames.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { openedForAll } from '../support/opened.ts';
import { desktopPicture, picture, seedDemo, seedSession } from './seed.ts';

/** The page in a real browser, against the real server and a real store; only the workflows are missing. */

describeInBrowser('the page (needs chromium)', () => {
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

  const open = ({ url }: Running, place: string, options: object = {}): Promise<Page> =>
    browser.open(url, place, options);

  test('lists sessions with their states and follows them', async () => {
    const running = await startServer();
    const page = await open(running, '/sessions');
    await page.getByText('No session yet').waitFor();
    const session = await seedSession(running.store, 'Fill in the form');
    const row = page.getByRole('row', { name: /Fill in the form/ });
    await row.getByText('idle').waitFor();
    await session.step(statusRunning());
    await row.getByText('running').waitFor();
    await session.use('bash', { command: 'rm -r form' }, 'ask');
    await row.getByText('needs you').waitFor();
    await row.click();
    await page.getByRole('heading', { name: 'Fill in the form' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/sessions/${session.id}`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('starts the demo at a click', async () => {
    const running = await startServer();
    const page = await open(running, '/');
    await page.getByRole('button', { name: 'Start: Demo: a shopping list' }).click();
    await page.getByRole('heading', { name: 'Demo: a shopping list' }).waitFor();
    const id = path.basename(new URL(page.url()).pathname);
    expect(running.runtimeCalls).toEqual([`deliver ${id}`]);
    await page.getByText('- say: The list is written, edited and saved.').waitFor();

    // A second demo shares the first one's agent.
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await page.getByRole('button', { name: 'Start: Demo: a shopping list' }).click();
    await page.getByRole('heading', { name: 'Demo: a shopping list' }).waitFor();
    expect(await running.store.agents.list({ limit: 10 })).toHaveLength(1);
    expect(await running.store.sessions.list({ limit: 10 })).toHaveLength(2);
    expect(browser.complaints).toEqual([]);
  });

  test('shows a session’s history and screenshots, and new ones as they happen', async () => {
    const running = await startServer();
    const session = await seedDemo(running.store);
    const page = await open(running, `/sessions/${session.id}`);
    const history = page.getByRole('list', { name: 'Turns' });
    await history.getByText('The list is written, edited and saved.').waitFor();
    await history.getByText('Coordinates 4000, 300 are out of bounds').waitFor();
    const screen = page.getByRole('region', { name: 'Screen' });
    const large = screen.getByRole('img', { name: 'The screen after: screenshot' });
    expect(
      await large.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(1024);
    const time = page.getByRole('region', { name: 'Time' });
    expect(await time.getByRole('button', { name: /^Screenshot/ }).count()).toBe(3);

    const before = await large.getAttribute('src');
    await session.step(statusRunning());
    await page.getByRole('status').getByText('running').waitFor();
    await session.use(
      'computer',
      { action: 'key', text: 'ctrl+s' },
      picture(await desktopPicture(['saved'])),
    );
    const newest = screen.getByRole('img', { name: 'The screen after: key “ctrl+s”' });
    await newest.waitFor();
    expect(await newest.getAttribute('src')).not.toBe(before);
    // An earlier one is held while others come.
    await time.getByRole('button', { name: 'Screenshot 1: screenshot' }).click();
    await session.use('computer', { action: 'key', text: 'Return' }, picture(await desktopPicture(['more'])));
    await time.getByRole('button', { name: 'Screenshot 5: key “Return”' }).waitFor();
    expect(await newest.count()).toBe(0);
    await time.getByRole('button', { name: 'Back to newest' }).click();
    await screen.getByRole('img', { name: 'The screen after: key “Return”' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test.each([
    ['Approve', 'allow'],
    ['Deny', 'deny'],
  ])('%s answers what the agent asks', async (button, result) => {
    const running = await startServer();
    const session = await seedSession(running.store, 'Careful');
    await session.step(statusRunning());
    const toolUse = await session.use('bash', { command: 'rm -r work' }, 'ask');
    const page = await open(running, `/sessions/${session.id}`);
    await page
      .getByRole('group', { name: 'The agent asks: rm -r work' })
      .getByRole('button', { name: button })
      .click();
    await page.getByRole('group', { name: /The agent asks/ }).waitFor({ state: 'detached' });
    const [sent] = await running.store.events.read({
      session: session.id,
      types: ['user.tool_confirmation'],
    });
    expect(sent?.payload).toMatchObject({ tool_use_id: toolUse, result });
    expect(running.runtimeCalls).toEqual([`deliver ${session.id}`]);
    expect(browser.complaints).toEqual([]);
  });

  test('sends a message and interrupts', async () => {
    const running = await startServer();
    const session = await seedSession(running.store, 'Talk');
    const page = await open(running, `/sessions/${session.id}`);
    const interrupt = page.getByRole('button', { name: 'Interrupt' });
    await page.getByLabel('Message').fill('- say: hello');
    expect(await interrupt.isDisabled()).toBe(true);
    await page.getByLabel('Message').press('Control+Enter');
    await page.getByRole('list', { name: 'Turns' }).getByText('- say: hello').waitFor();
    // Emptied once the server has answered, which may be after the stream has told of it.
    await page.locator('textarea:placeholder-shown').waitFor();
    await session.step(statusRunning());
    await interrupt.click();
    await page.getByText('You interrupted').waitFor();
    await session.step(statusIdle(END_TURN));
    await page.getByRole('status').getByText('idle').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('says what the server refuses, and comes back by itself after a cut', async () => {
    const running = await startServer();
    const session = await seedSession(running.store, 'Steady');
    const page = await open(running, `/sessions/${session.id}`);
    await page.getByRole('status').getByText('idle').waitFor();
    await page.context().setOffline(true);
    await running.server.close(0);
    await page.getByRole('alert').getByText('Trying again').waitFor();
    await page.getByLabel('Message').fill('anyone?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('region', { name: 'Controls' }).getByText('The server cannot be reached.').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('anyone?');

    await page.context().setOffline(false);
    const sessions = (await import('../../sessions/index.ts')).createSessions({ store: running.store });
    await startServer({ port: running.port, sessions, blobs: running.store.blobs });
    await session.step(statusRunning());
    await page.getByRole('status').getByText('running').waitFor();
    await page.getByRole('alert').getByText('Trying again').waitFor({ state: 'detached' });
  });

  test('asks for the key when the server wants one, and shows pictures with it', async () => {
    const running = await startServer({ access: { kind: 'keys', keys: [clientKey('sk-test-0123456789')] } });
    const session = await seedDemo(running.store);
    const page = await open(running, `/sessions/${session.id}`);
    await page.getByLabel('Key', { exact: true }).fill('wrong-key-000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This key is not the right one.').waitFor();
    await page.getByLabel('Key', { exact: true }).fill('sk-test-0123456789');
    await page.getByRole('button', { name: 'Continue' }).click();
    // Each picture comes by itself; this is the large one.
    const large = page
      .getByRole('img', { name: 'The screen after: screenshot' })
      .and(page.locator('[src^="blob:"]'));
    expect(
      await large.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(1024);
    await page.reload();
    await page.getByRole('heading', { name: 'Demo: a shopping list' }).waitFor();
    // The two refusals are what the browser itself reports of a 401.
    expect(browser.complaints.filter((complaint) => !complaint.includes('401 (Unauthorized)'))).toEqual([]);
  });

  test('a session that is deleted, or never was, is said to be gone', async () => {
    const running = await startServer();
    const session = await seedSession(running.store, 'Short-lived');
    const page = await open(running, '/sessions');
    await page
      .getByRole('row', { name: /Short-lived/ })
      .getByRole('checkbox')
      .check();
    await page.getByRole('button', { name: 'Delete 1' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete “Short-lived”?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No session yet').waitFor();
    expect(running.runtimeCalls).toEqual([`end ${session.id}`]);
    await page.goto(`${running.url}/sessions/${session.id}`);
    await page.getByText('There is no such session').waitFor();
  });

  test('nothing is cut off from 320 to 1280 pixels of width', async () => {
    const running = await startServer();
    const session = await seedDemo(running.store);
    const page = await open(running, `/sessions/${session.id}`);
    await page.getByText('The list is written, edited and saved.').waitFor();
    const cutOff: string[] = [];
    for (const pathname of [`/sessions/${session.id}`, '/sessions', '/', '/inference']) {
      await page.goto(`${running.url}${pathname}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const width of [1280, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await nextFrames(page);
        const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (overhang > 0) cutOff.push(`${pathname} at ${width}: ${overhang} pixels`);
      }
    }
    expect(cutOff).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
