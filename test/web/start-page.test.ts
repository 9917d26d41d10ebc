import { serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { END_TURN, statusIdle, statusRunning } from '../../sessions/index.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { openedForAll } from '../support/opened.ts';
import { seedSession } from './seed.ts';

/** The page that people see first. That the scripts it offers do what they say is tested in test/e2e/demos.test.ts. */

jest.setTimeout(180_000);

describeInBrowser('the start page (needs chromium)', () => {
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

  test('a first-time visitor finds five scripts, and the line to type for the crash', async () => {
    const { url } = await startServer();
    const page = await browser.open(url, '/');
    await page.getByRole('heading', { name: 'Welcome to Steadyhand' }).waitFor();
    expect(await page.getByRole('button', { name: /^Start: / }).count()).toBe(5);
    const crash = page.getByRole('listitem').filter({ hasText: 'A crash' });
    expect(await crash.locator('code').innerText()).toBe('kill -9 $(cat data/server.pid); npm start');
    expect(browser.complaints).toEqual([]);
  });

  test('a script is sent whole, with the policy that it needs', async () => {
    const { url, store } = await startServer();
    const page = await browser.open(url, '/');
    await page.getByRole('button', { name: 'Start: Demo: an approval' }).click();
    await page.getByRole('heading', { name: 'Demo: an approval' }).waitFor();
    const session = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const [sent] = await store.events.read({ session, types: ['user.message'] });
    expect(JSON.stringify(sent?.payload)).toContain('rm reports/old.txt');
    const answer = await fetch(`${url}/v1/sessions/${session}`);
    expect(await answer.json()).toMatchObject({ policy: { rules: [{ decision: 'ask' }] } });
    expect(browser.complaints).toEqual([]);
  });

  test('tells what runs, what waits for a person and what failed, as it changes', async () => {
    const { url, store } = await startServer();
    const running = await seedSession(store, 'At work');
    await running.step(statusRunning());
    const waiting = await seedSession(store, 'With a question');
    await waiting.step(statusRunning());
    await waiting.use('bash', { command: 'rm -r work' }, 'ask');
    const failed = await seedSession(store, 'Without luck');
    await failed.step(statusRunning());
    await failed.step(statusIdle({ type: 'retries_exhausted' }));
    const page = await browser.open(url, '/');
    const group = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
    await group('Runs')
      .getByRole('link', { name: /At work/ })
      .waitFor();
    await group('Waits for you')
      .getByRole('link', { name: /With a question/ })
      .waitFor();
    await group('Failed')
      .getByRole('link', { name: /Without luck/ })
      .waitFor();
    await running.step(statusIdle(END_TURN));
    await group('Runs').getByText('Nothing runs.').waitFor();
    await group('Failed')
      .getByRole('link', { name: /Without luck/ })
      .click();
    await page.getByRole('heading', { name: 'Without luck' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
