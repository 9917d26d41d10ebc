import fs from 'node:fs';
import { replaySessions, withEngine } from '../support/replay.ts';
import { describeInBrowser, type WatchedBrowser, watchedBrowser } from '../support/browser.ts';
import { Product } from '../support/product.ts';
import { events, idle, made, make, prepare, resultTexts, say, until } from './support.ts';
import { posted } from '../support/posted.ts';

/** A person at a session's screen, in a real browser, and what the agent is told of it. */

const missing = ['Xvfb', 'openbox', 'xdotool', 'xterm', 'x11vnc'].filter(
  (name) => !fs.existsSync(`/usr/bin/${name}`),
);
const describeAll = missing.length === 0 ? describeInBrowser : describe.skip;

interface Takeover {
  readonly id: string;
  readonly status: string;
}

describeAll(`taking over (needs ${missing.join(', ') || 'chromium'})`, () => {
  const product = new Product();
  let browser: WatchedBrowser;

  beforeAll(async () => {
    browser = await watchedBrowser('static/app/live.js');
    await product.start();
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await product.dispose();
  }, 360_000);

  const ask = async <T>(path: string, body?: object): Promise<{ status: number; body: T }> => {
    const init = posted(body);
    const response = await fetch(`${product.url}${path}`, body === undefined ? {} : init);
    return { status: response.status, body: (await response.json()) as T };
  };
  const session = async (): Promise<string> => {
    const { agent, environment_id } = await prepare(product.client);
    return (await product.client.beta.sessions.create({ agent, environment_id })).id;
  };
  const shown = async (id: string): Promise<string> =>
    (await fetch(`${product.url}/v1/sessions/${id}/recording`)).text();
  const types = async (id: string): Promise<readonly string[]> =>
    (await events(product.client, id)).map(({ type }) => type).filter((type) => /^sandbox|tool_/.test(type));

  test('watched in the page, taken over, typed into a real program and handed back; the model is shown it', async () => {
    const id = await session();
    await say(
      product.client,
      id,
      `- bash: |
    xterm -geometry 60x10+200+200 -e 'cat > typed' &
    xdotool search --sync --onlyvisible --class xterm windowactivate --sync
- say: The terminal is open.`,
    );
    await idle(product, id);
    const page = await browser.open(product.url, `/sessions/${id}`);
    await page.getByRole('button', { name: 'Watch live' }).click();
    await page.getByText('Live, view only').waitFor();
    await page.getByRole('img', { name: 'The screen, live' }).locator('canvas').click();
    await page.keyboard.type('not let through');
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText('You have mouse and keyboard.').waitFor();
    expect((await ask(`/v1/sessions/${id}/takeover`, {})).status).toBe(409);
    // The screen has the keyboard's focus without a click.
    await page.keyboard.type('Hello, agent');
    await page.keyboard.press('Enter');
    const seen = await until(product, id, 'the keys', (log) =>
      JSON.stringify(log).includes('"down":false,"keysym":"Return"'),
    );
    expect(JSON.stringify(seen)).toContain('"down":true,"keysym":"H"');
    await page.keyboard.press('Shift+Escape');
    await page.keyboard.press('Enter');
    await page.getByText('Live, view only').waitFor();
    await page.getByText(/The person handed back after/).waitFor();
    expect(browser.complaints.filter((line) => !line.includes('409'))).toEqual([]);
    await until(product, id, 'the end', (log) => JSON.stringify(log).includes('sandbox.takeover_ended'));

    await say(product.client, id, '- bash: cat typed\n- say: Seen.');
    await idle(product, id);
    const log = await events(product.client, id);
    expect(resultTexts(log).at(-1)).toBe('Hello, agent');
    // What the model was asked: a recording holds the requests, pictures as hashes.
    expect(await shown(id)).toMatch(
      /<system>A person took over the computer for [^<]* and pressed \d+ keys\.[^<]*: this is the screen now\.<\/system>"[^]{0,80}"sha256"/,
    );
    await browser.closePage();
  }, 360_000);

  test('during a tool use, through a crash of the server: the agent waits, then goes on', async () => {
    const id = await session();
    await say(
      product.client,
      id,
      '- bash: touch begun; until [ -e go ]; do sleep 0.1; done; echo one\n- bash: echo two >> twice; cat twice\n- say: Done.',
    );
    await made(product, id, 'begun');
    // Of two who ask, one is refused at once: by then the other's takeover waits for the action's end.
    const asked = [1, 2].map(() => ask<Takeover>(`/v1/sessions/${id}/takeover`, { record: 'no_keys' }));
    expect((await Promise.race(asked)).status).toBe(409);
    await make(product, id, 'go');
    const [taken] = (await Promise.all(asked)).flatMap(({ status, body }) => (status === 200 ? [body] : []));
    await until(product, id, 'the takeover', (log) =>
      log.some(({ type }) => (type as string) === 'sandbox.takeover_started'),
    );
    expect((await ask<{ state: string }>(`/v1/sessions/${id}/state`)).body.state).toBe('taken_over');
    await product.kill();
    await product.start();
    const { body: back } = await ask<Takeover>(`/v1/sessions/${id}/handback`, { takeover_id: taken?.id });
    expect(back.status).toBe('ended');
    expect(await idle(product, id)).toBe('end_turn');
    const log = await types(id);
    expect(log.filter((type) => type === 'sandbox.takeover_ended')).toHaveLength(1);
    expect(log.indexOf('sandbox.takeover_started')).toBeGreaterThan(log.indexOf('agent.tool_result'));
    expect(resultTexts(await events(product.client, id))).toEqual(['one', 'two']);
    expect(await replaySessions(product)).toBeGreaterThanOrEqual(2);
  }, 360_000);

  test('handed back before it began, it is withdrawn: the agent goes on and is told nothing', async () => {
    const id = await session();
    await say(product.client, id, '- bash: until [ -e go ]; do sleep 0.1; done; echo one\n- say: Done.');
    await until(product, id, 'a tool use', (log) => log.some(({ type }) => type === 'agent.tool_use'));
    // As the server asks for it; a request would keep the person waiting for ten seconds first.
    const terms = { takeover: 'tkov_1', record: 'full', disconnect_after_s: 60, expires_after_s: 600 };
    await withEngine(product, (client) =>
      client.workflow
        .getHandle(`session/${id}`)
        .executeUpdate('send', { args: [{ type: 'takeover', after_failure: true, ...terms }] }),
    );
    const handBack = (): ReturnType<typeof ask> =>
      ask(`/v1/sessions/${id}/handback`, { takeover_id: 'tkov_1' });
    expect(await handBack()).toEqual({
      status: 200,
      body: { id: 'tkov_1', type: 'takeover', status: 'withdrawn' },
    });
    expect((await handBack()).status).toBe(404);
    const sandbox = id.replace('sesn_', 'sbx_');
    const go = `${product.url}/v1/sandboxes/${sandbox}/files/content?path=/home/agent/go`;
    expect((await fetch(go, { method: 'PUT', body: '' })).ok).toBe(true);
    expect(await idle(product, id)).toBe('end_turn');
    expect(resultTexts(await events(product.client, id))).toEqual(['one']);
    expect((await types(id)).filter((type) => type.startsWith('sandbox.takeover'))).toEqual([]);
  }, 120_000);

  test('a sandbox without a session: tools are refused meanwhile', async () => {
    const { body: sandbox } = await ask<{ id: string }>('/v1/sandboxes', {});
    const { body: taken } = await ask<Takeover>(`/v1/sandboxes/${sandbox.id}/takeover`, {});
    expect(taken.status).toBe('active');
    const tools = (use: string): ReturnType<typeof ask> =>
      ask(`/v1/sandboxes/${sandbox.id}/tool_results`, {
        tools: [{ type: 'bash_20241022', name: 'bash' }],
        content: [{ type: 'tool_use', id: use, name: 'bash', input: { command: 'true' } }],
      });
    expect((await tools('toolu_1')).status).toBe(409);
    const page = await browser.open(product.url, `/sandboxes/${sandbox.id}`);
    await page.getByText('Another person has mouse and keyboard.').waitFor();
    await ask(`/v1/sandboxes/${sandbox.id}/handback`, { takeover_id: taken.id });
    expect((await tools('toolu_1')).status).toBe(200);
    await page.getByText('Live, view only').waitFor();
    await fetch(`${product.url}/v1/sandboxes/${sandbox.id}`, { method: 'DELETE' });
    await page.getByText('There is no such sandbox').waitFor();
    await browser.closePage();
  }, 360_000);
});
