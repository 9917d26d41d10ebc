import { serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { faultsInEachLook } from '../support/looks.ts';
import { openedForAll } from '../support/opened.ts';
import { statusRunning } from '../../sessions/index.ts';
import { seedDemo, seedSession } from './seed.ts';

/** axe finds nothing on any page, in both themes, on a large screen and on a phone. */

jest.setTimeout(240_000);

describeInBrowser('accessibility (needs chromium)', () => {
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

  test('on every page', async () => {
    const { url, store } = await startServer();
    const page = await browser.open(url, '/');
    const faults: string[] = [];
    const look = async (name: string): Promise<void> => {
      faults.push(...(await faultsInEachLook(page, name)));
    };
    await page.getByRole('heading', { name: 'Welcome to Steadyhand' }).waitFor();
    await look('start, empty');
    await page.goto(`${url}/sessions`);
    await page.getByText('No session yet').waitFor();
    await look('sessions, empty');

    const demo = await seedDemo(store);
    const careful = await seedSession(store, 'Careful');
    await careful.step(statusRunning());
    await careful.use('bash', { command: 'rm -r work' }, 'ask');
    await page.getByRole('row', { name: /Careful/ }).waitFor();
    await look('sessions');
    await page
      .getByRole('row', { name: /Careful/ })
      .getByRole('checkbox')
      .check();
    await page.getByRole('button', { name: 'Delete 1' }).click();
    await page.getByRole('alertdialog').waitFor();
    await look('a question');
    await page.keyboard.press('Escape');

    await page.goto(url);
    await page.getByRole('heading', { name: 'Waits for you' }).waitFor();
    await look('start');
    await page.goto(`${url}/sessions/${demo.id}`);
    await page.getByText('The list is written, edited and saved.').waitFor();
    await look('a session');
    await page.goto(`${url}/sessions/${careful.id}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await look('an approval');
    await page.goto(`${url}/inference`);
    await page.getByRole('heading', { name: 'Images' }).waitFor();
    await look('images');
    await page.goto(`${url}/system/nothing`);
    await page.getByText('There is no page here').waitFor();
    await look('nowhere');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search and commands' }).getByRole('option').first().waitFor();
    await look('the palette');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await look('the keys');
    expect(faults).toEqual([]);
  });
});
