import type { Page } from 'playwright-core';
import { createDefaultProviders, readProvidersTable } from '../../messages/index.ts';
import { providerKinds } from '../../messages/routing/provider-kinds.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import type { ServerDeps } from '../../server/deps.ts';
import { createWorkflowService, type WorkflowServiceOptions } from '../../temporal/index.ts';
import { ask, serveOnOnePort, startServer, stopServers, type Running } from '../server/harness.ts';
import { failure, json, message, startUpstream } from '../support/anthropic-upstream.ts';
import { faultsInEachLook } from '../support/looks.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { startTestEngine } from '../support/engine.ts';
import { openedForAll } from '../support/opened.ts';
import { connectTemporal } from '../support/temporal.ts';
import { seedTools } from './seed-tools.ts';

/** What operators look at: providers and prices, the calling key and its limits, the health of all parts. */

jest.setTimeout(240_000);

const KEY = 'sk-operator-0123456789';
const LONG_AGO = '2026-11-22T10:00:00Z';

describeInBrowser('the pages for operators (needs chromium)', () => {
  serveOnOnePort();
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  const upstream = openedForAll(startUpstream);
  const engine = openedForAll(
    () => startTestEngine(),
    (it) => it.stop(),
    120_000,
  );
  const temporal = openedForAll(
    () => connectTemporal(engine.connection),
    (it) => it.close(),
    120_000,
  );
  afterEach(async () => {
    await browser.closePage();
    await stopServers();
    upstream.reset();
  });

  /** Providers of which one answers as the test says, one is down and one is a script with a price. */
  function providersOf(): ReturnType<typeof createDefaultProviders> {
    const table = readProvidersTable(
      {
        providers: {
          claude: { type: 'anthropic', api_key: 'sk-upstream', base_url: upstream.baseURL },
          local: { type: 'openai-compatible', base_url: 'http://127.0.0.1:9/v1' },
          scripts: { type: 'script' },
        },
        models: [
          { model: 'house', provider: 'claude', price: { currency: 'EUR', input: 3, output: 15 } },
          { model: 'claude-*', provider: 'claude' },
          { model: 'vision', provider: 'local' },
        ],
      },
      { file: 'providers.yaml', folder: '/', env: {}, kinds: providerKinds() },
    );
    return createDefaultProviders({ table });
  }

  /** A server with nothing wrong, on a real engine. */
  function start(overrides: Partial<ServerDeps> = {}): Promise<Running> {
    const providers = providersOf();
    return startServer({
      providers,
      catalog: providers,
      workflows: createWorkflowService({
        connection: temporal.client.connection as WorkflowServiceOptions['connection'],
        namespace: 'default',
        engine: 'embedded',
        scrub: (text) => text,
        machines: async () => await Promise.resolve({}),
      }),
      health: () => ({
        version: '1.2.3',
        engine: { kind: 'embedded', address: engine.connection.address, namespace: 'default' },
        desktop: { available: true, isolation: 'bubblewrap', reason: null },
      }),
      system: {
        read: async () => ({
          role: 'all',
          queues: [],
          store: {
            folder: '/var/lib/steadyhand',
            size_bytes: 1_500_000,
            measured_at: LONG_AGO,
            sweep: { last_at: LONG_AGO, took_ms: 12, next_at: '2026-11-22T11:00:00Z', failure: null },
          },
          disks: [{ name: 'Data', folder: '/var/lib/steadyhand', free_bytes: 6e10, total_bytes: 1e11 }],
        }),
      },
      ...overrides,
    });
  }

  const send = (url: string, headers: Record<string, string> = {}): Promise<unknown> =>
    ask(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'house', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] }),
    });
  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  test('models: what was asked, what it costs, what failed, and a check at a click', async () => {
    const { url } = await start();
    upstream.models = [{ id: 'claude-small' }];
    const page = await browser.open(url, '/models');
    const claude = card(page, 'claude');
    const prices = claude.getByRole('table', { name: 'Models of claude' });
    await prices.getByRole('row', { name: /^house €3\.00 €15\.00 €3\.00 €3\.00/ }).waitFor();
    await prices.getByRole('row', { name: /^claude-small/ }).waitFor();
    await card(page, 'script').getByText('not asked yet').waitFor();
    await card(page, 'scripts').getByText('No model leads to this provider.').waitFor();

    upstream.answer = json(200, message('Hi.', { usage: { input_tokens: 1200, output_tokens: 40 } }));
    await send(url);
    await prices.getByRole('row', { name: /^house .* 1 1\.2K 40$/ }).waitFor();
    await claude.getByText(/\(p50\), .* \(p95\)/).waitFor();
    upstream.answer = failure(429, 'rate_limit_error', 'Slow down, please', { 'retry-after': '600' });
    await send(url);
    await claude.getByText('asks for less').waitFor();
    await claude.getByText(/It asks to be left alone until/).waitFor();
    await claude.getByText('The last error,').click();
    await claude.getByText('Rate limit error · house').waitFor();

    // The page has asked for the list of models already; the check asks once more.
    const local = card(page, 'local');
    await local.getByText('The last error,').waitFor();
    await page.getByRole('button', { name: 'Check now: local' }).focus();
    await page.keyboard.press('Enter');
    await local.getByText('fails', { exact: true }).waitFor();
    await local.getByText('The last 2 errors,').waitFor();

    await page.getByRole('search').getByText('local', { exact: true }).click();
    await claude.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?provider=local');
    await page.goto(`${url}/models?provider=nobody`);
    await page.getByText('No provider is called nobody').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('prices stand at a session’s turns and in the list; without one there are tokens alone', async () => {
    const table = readProvidersTable(
      { providers: { a: { type: 'script' } }, models: [] },
      { file: 'providers.yaml', folder: '/', env: {}, kinds: providerKinds() },
    );
    const bare = createDefaultProviders({ table });
    // The seeded session's agent names the model `script`, which the file cannot give a price.
    const priced: ServerDeps['catalog'] = {
      ...bare,
      providers: () =>
        bare.providers().map((provider) => ({
          ...provider,
          models: provider.models.map((model) => ({
            ...model,
            price: { currency: 'USD', input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 },
          })),
        })),
    };
    const running = await start({ providers: bare, catalog: priced });
    const { id } = await seedTools(running.store);
    const page = await browser.open(running.url, `/sessions/${id}?view=cost`);
    const turns = page.getByRole('table', { name: 'By turn' });
    // 3,300 x 3 + 360 x 15 + 18,000 x 0.3 + 2,400 x 3.75 millionths
    await turns.getByRole('row', { name: /^1 \$0\.03 3,300 360/ }).waitFor();
    expect(await page.getByLabel('Sum', { exact: true }).innerText()).toMatch(/Price\s+\$0\.044/);
    await page.goto(`${running.url}/sessions`);
    await page.getByRole('columnheader', { name: 'Price' }).waitFor();
    await page
      .getByRole('row', { name: /Every tool/ })
      .getByText('$')
      .waitFor();
    await stopServers();

    const without = await start();
    const other = await seedTools(without.store);
    await page.goto(`${without.url}/sessions/${other.id}?view=cost`);
    await turns.getByRole('row', { name: /^1 3,300 360/ }).waitFor();
    expect(await turns.getByRole('columnheader', { name: 'Price' }).count()).toBe(0);
  });

  test('keys: who calls, how near the limits are, and what holds for everybody', async () => {
    const { url } = await start({
      access: {
        kind: 'keys',
        keys: [{ ...clientKey(KEY, 'alice', { requests: 10, streams: 4 }), workflows: 'read' }],
      },
      serverLimits: [{ name: 'Cores of a sandbox', setting: 'SANDBOX_CPUS', value: null, unit: 'count' }],
    });
    const page = await browser.open(url, '/keys');
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.keyboard.press('Enter');
    const about = card(page, 'The key that calls');
    await about.getByText('An entry of the keys file.').waitFor();
    expect(await about.innerText()).toMatch(/alice[\s\S]*Read them/);
    const limits = card(page, 'Its limits');
    await limits.getByText('0 of 10 used').first().waitFor();
    upstream.answer = json(200, message('Hi.'));
    await send(url, { 'x-api-key': KEY });
    await limits.getByText('1 of 10 used').first().waitFor();
    await limits.getByText(/Without a limit: Tokens a minute that models read; Tokens a minute/).waitFor();
    const all = page.getByRole('table', { name: 'Limits for everybody' });
    await all.getByRole('row', { name: 'File 500 MiB fixed' }).waitFor();
    await all.getByRole('row', { name: 'Cores of a sandbox no limit of its own SANDBOX_CPUS' }).waitFor();
    expect(await page.locator('body').innerText()).not.toContain(KEY);
  });

  test('health: all is well, then a part fails and stands first, on the start page too', async () => {
    let desktop = true;
    const { url } = await start({
      health: () => ({
        version: '1.2.3',
        engine: { kind: 'embedded', address: engine.connection.address, namespace: 'default' },
        desktop: desktop
          ? { available: true, isolation: 'bubblewrap', reason: null }
          : { available: false, isolation: null, reason: 'bwrap is not on PATH' },
      }),
    });
    const page = await browser.open(url, '/system');
    await page.getByText('Every part that was asked works.').waitFor();
    await card(page, 'Engine').getByText('Embedded, in this server').waitFor();
    await card(page, 'Store and disk').getByText('60.0 GB free of 100 GB').first().waitFor();
    await card(page, 'This server').getByText('1.2.3').waitFor();
    desktop = false;
    const wrong = page.getByRole('list', { name: 'What is wrong' });
    await wrong.getByText('This machine has no desktop for agents (bwrap is not on PATH)').waitFor();
    await wrong.getByText(/Install what is missing/).waitFor();
    await page.goto(url);
    const line = page.getByRole('link', { name: /^Health: Needs care This machine has no desktop/ });
    await line.waitFor();
    // Somebody who is here for the first time sees the demos all the same.
    await page.getByRole('heading', { name: 'Welcome to Steadyhand' }).waitFor();
    expect(await page.getByRole('button', { name: /^Start: / }).count()).toBe(5);
    await line.click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('the palette finds a provider by its model', async () => {
    const { url } = await start();
    const page = await browser.open(url, '/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.getByRole('combobox').fill('vision');
    await palette.getByRole('option', { name: 'Provider local' }).waitFor();
    await page.keyboard.press('Enter');
    await card(page, 'local').waitFor();
    expect(new URL(page.url()).search).toBe('?provider=local');
  });

  test('what cannot be loaded says so, and a server that is away keeps what is shown', async () => {
    const running = await start();
    const page = await browser.open(running.url, '/inference');
    await page.getByRole('heading', { name: 'Images', level: 1 }).waitFor();
    await page.route('**/v1/{providers,key,system}', (route) =>
      route.fulfill({ status: 400, json: { type: 'error', error: { message: 'Not today.' } } }),
    );
    for (const [key, name] of [
      ['m', 'Models'],
      ['k', 'Keys and limits'],
      ['y', 'Health'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByRole('alert').getByText('Not today.').waitFor();
    }
    await page.unroute('**/v1/{providers,key,system}');
    await page.getByRole('button', { name: 'Try again' }).click();
    await card(page, 'Engine').waitFor();
    await running.server.close(0);
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await card(page, 'Engine').count()).toBe(1);
  });

  test('the pages are in order in each look', async () => {
    const { url } = await start();
    upstream.answer = failure(401, 'authentication_error', 'no such key');
    await send(url);
    const page = await browser.open(url, '/models');
    const faults: string[] = [];
    const look = async (name: string): Promise<void> => {
      faults.push(...(await faultsInEachLook(page, name)));
    };
    await card(page, 'claude').getByText('fails', { exact: true }).waitFor();
    await card(page, 'claude').getByText('The last error,').click();
    await look('models');
    await page.goto(`${url}/keys`);
    await card(page, 'The key that calls').waitFor();
    await look('keys');
    await page.goto(`${url}/system`);
    await page.getByRole('list', { name: 'What is wrong' }).waitFor();
    await look('health');
    await page.goto(url);
    await page.getByRole('link', { name: /^Health: / }).waitFor();
    await look('start');
    expect(faults).toEqual([]);
  });
});
