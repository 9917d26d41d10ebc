import path from 'node:path';
import type { Page } from 'playwright-core';
import { stopServers } from '../../server/harness.ts';
import { WorkflowBench } from '../../server/workflows/bench.ts';
import { accessibilityFaults } from '../../support/axe.ts';
import { faultsInEachLook } from '../../support/looks.ts';
import { describeInBrowser, watchedBrowser } from '../../support/browser.ts';
import { openedForAll } from '../../support/opened.ts';
import { productForAll } from '../../support/product.ts';
import { idle, prepare, say } from '../../e2e/support.ts';
import { lampMachine } from './machines.ts';
import { approval, batch, large, player } from './workflows.ts';

/** Statecharts in a real browser, of actors that a real worker runs on a real engine. */

jest.setTimeout(120_000);

describeInBrowser('statecharts (needs chromium)', () => {
  const browser = openedForAll(
    () => watchedBrowser('static/app/elk-worker.js'),
    (it) => it.close(),
    120_000,
  );
  const bench = openedForAll(
    () => WorkflowBench.start(path.resolve(__dirname, 'workflows.ts')),
    async (it) => {
      await it.stopWorker();
      await it.stop();
    },
    120_000,
  );
  beforeAll(async () => {
    await bench.serve({
      machines: async () => await Promise.resolve({ approval, batch, large, player, lamp: lampMachine }),
    });
  });
  afterEach(() => browser.closePage());
  afterAll(() => stopServers());

  const state = (page: Page, id: string) => page.locator(`g.state[data-state="${id}"]`);
  const isActive = async (page: Page, id: string): Promise<void> => {
    await page.locator(`g.state.active[data-state="${id}"]`).waitFor();
  };
  const open = async (
    workflowId: string,
    options: Parameters<typeof browser.open>[2] = {},
  ): Promise<Page> => {
    const page = await browser.open(bench.url, `/statechart/${encodeURIComponent(workflowId)}`, options);
    await page.locator('g.state').first().waitFor();
    return page;
  };
  const shot = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['CHART_SHOTS'];
    if (folder !== undefined)
      await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
  };

  const REQUEST = { document: 'budget', needed: 2, remindEvery: 3_600_000, giveUpAfter: 7_200_000 };
  const begin = async (type: string, input: object = {}): Promise<string> =>
    (await bench.begin(type, [{ input }])).workflowId;

  test('an approval is drawn and lit, and takes an event by its button', async () => {
    const id = await begin('approval', REQUEST);
    const page = await open(id);
    await isActive(page, 'approval.open.waiting');
    expect(await page.locator('g.state.active').count()).toBe(3);
    const events = page.getByRole('group', { name: 'Events that may be sent now' });
    expect(await events.getByRole('button').allTextContents()).toEqual(['approve', 'refuse']);
    await events.getByRole('button', { name: 'approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send approve' });
    await dialog.waitFor();
    await dialog.getByRole('textbox').fill('{"by": "ann"}');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('approve came by update').waitFor();
    await shot(page, 'approval');
    // What an event is refused for is said where it was to be sent.
    await events.getByRole('button', { name: 'approve' }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    expect(browser.complaints).toEqual([]);
  });

  test('the chart, the context and the step stand still at the moment of the address', async () => {
    const id = await begin('approval', REQUEST);
    const handle = bench.temporal.client.workflow.getHandle(id);
    await handle.executeUpdate('send', { args: [{ type: 'approve', by: 'ann' }] });
    await handle.executeUpdate('send', { args: [{ type: 'refuse', by: 'bob' }] });
    const page = await open(id);
    await isActive(page, 'approval.refused');
    await page.getByText('The machine takes no events here.').waitFor();
    await page.keyboard.press(',');
    await isActive(page, 'approval.open.waiting');
    await page.getByRole('region', { name: 'Step 2' }).getByText('approve came by update').waitFor();
    expect(new URL(page.url()).searchParams.get('step')).toBe('2');
    const context = page.getByRole('group', { name: 'Context' });
    expect(await context.locator('.changed').allTextContents()).toEqual(['0: "ann"']);
    const approve = page.getByRole('button', { name: 'approve', exact: true });
    expect(await approve.isDisabled()).toBe(true);
    await page.reload();
    await isActive(page, 'approval.open.waiting');
    await page.getByRole('slider', { name: 'Step' }).press('Home');
    await page.getByText('The run began').waitFor();
    await page.getByRole('button', { name: 'Play' }).click();
    await isActive(page, 'approval.refused');
    expect(await page.locator('[data-of="approval.refused"] .count').textContent()).toBe('1×');
    expect(browser.complaints).toEqual([]);
  });

  test('regions, history and schemas: an event’s form is that of its schema', async () => {
    const id = await begin('player');
    const handle = bench.temporal.client.workflow.getHandle(id);
    await handle.executeUpdate('send', { args: [{ type: 'POWER' }] });
    const page = await open(id);
    await isActive(page, 'player.on.sound.loud');
    await isActive(page, 'player.on.disc');
    await shot(page, 'player');
    // MUTE is nothing but its type, so there is nothing to ask.
    await page.getByRole('button', { name: 'MUTE' }).click();
    await isActive(page, 'player.on.sound.mute');
    expect(await page.locator('.edge.taken').getAttribute('data-edge')).toBe(
      'player.on.sound.loud→player.on.sound.mute',
    );
    expect(browser.complaints).toEqual([]);
  });

  test('events go by signal where the worker takes no update, and where somebody wants it so', async () => {
    const { workflowId } = await bench.begin('lamp');
    const page = await open(workflowId);
    await isActive(page, 'lamp.off');
    await page.getByText('takes events by signal alone').waitFor();
    const press = page.getByRole('button', { name: 'press', exact: true });
    await press.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await isActive(page, 'lamp.on');
    await page.getByText('press came by signal').waitFor();

    const both = await open(await begin('player'));
    await both.getByRole('radio', { name: 'By signal' }).check({ force: true });
    await both.getByText('A signal gives no answer').waitFor();
    await both.getByRole('button', { name: 'POWER' }).click();
    await both.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await both.getByText('POWER came by signal').waitFor();
    expect(await accessibilityFaults(both)).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  test('the outline says what the chart shows, by keys', async () => {
    const id = await begin('player');
    await bench.temporal.client.workflow.getHandle(id).executeUpdate('send', { args: [{ type: 'POWER' }] });
    const page = await open(id);
    await isActive(page, 'player.on');
    const item = (name: RegExp) => page.getByRole('treeitem', { name });
    expect(await item(/^on parallel active takes POWER/).count()).toBe(1);
    await item(/^player/).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.locator('g.state.folded[data-state="player.on"]').waitFor();
    await state(page, 'player.on.sound').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search a state' }).fill('mut');
    expect(await page.getByRole('treeitem').count()).toBe(4);
    expect(browser.complaints).toEqual([]);
  });

  test('two runs stand side by side, to where they part', async () => {
    const [left, right] = [await begin('approval', REQUEST), await begin('approval', REQUEST)];
    for (const [id, type] of [
      [left, 'approve'],
      [right, 'refuse'],
    ] as const) {
      const handle = bench.temporal.client.workflow.getHandle(id);
      await handle.executeUpdate('send', { args: [{ type, by: 'ann' }] });
    }
    const search = new URLSearchParams({ left, right }).toString();
    const page = await browser.open(bench.url, `/workflows/compare?${search}`);
    await page.getByText('The first step is the same. Then they part by what came in').waitFor();
    await page.getByRole('button', { name: 'To step 2' }).click();
    await isActive(page, 'approval.refused');
    await isActive(page, 'approval.open.waiting');
    await shot(page, 'compare');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  test('300 states are laid out beside the page, shown whole, and moved', async () => {
    const id = await begin('large');
    const page = await open(id);
    expect(await page.locator('g.state').count()).toBeGreaterThanOrEqual(300);
    await shot(page, 'large');
    const content = page.locator('.chart-window svg[role="img"] > g');
    const before = await content.getAttribute('transform');
    // A chart that would be too small to be read begins with where the machine is.
    const box = await page.locator('.chart-window').boundingBox();
    const active = await state(page, 'large.g0.s0').boundingBox();
    if (box === null || active === null) throw new Error('no chart');
    expect(active.width).toBeGreaterThan(40);
    expect(active.y).toBeGreaterThan(box.y);
    expect(active.y).toBeLessThan(box.y + box.height);
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    for (let move = 1; move <= 20; move++)
      await page.mouse.move(box.x + 200 + move * 5, box.y + 200 + move * 3);
    await page.mouse.up();
    expect(await content.getAttribute('transform')).not.toBe(before);
    await page.getByRole('group', { name: /^Statechart of large: / }).focus();
    await page.keyboard.press('0');
    const whole = await page.locator('g.state[data-state="large"]').boundingBox();
    expect(whole?.height).toBeLessThanOrEqual(box.height);
    expect(browser.complaints).toEqual([]);
  });

  test('is in order in each look', async () => {
    const id = await begin('approval', REQUEST);
    await bench.temporal.client.workflow
      .getHandle(id)
      .executeUpdate('send', { args: [{ type: 'approve', by: 'ann' }] });
    const page = await open(id);
    await isActive(page, 'approval.open.waiting');
    expect(await faultsInEachLook(page, 'approval')).toEqual([]);
  });
});

describeInBrowser('the statechart of a session (needs chromium)', () => {
  const browser = openedForAll(
    () => watchedBrowser('static/app/elk-worker.js'),
    (it) => it.close(),
    120_000,
  );
  const product = productForAll();

  test('shows what the session has done, of the product as it is', async () => {
    const { client } = product;
    const { agent, environment_id } = await prepare(client);
    const { id } = await client.beta.sessions.create({ agent, environment_id });
    await say(client, id, '- say: Good morning.');
    await idle(product, id);
    const page = await browser.open(product.url, `/statechart/${encodeURIComponent(`session/${id}`)}`, {
      viewport: { width: 1600, height: 1000 },
    });
    await page.locator('g.state.active[data-state="session.idle"]').waitFor();
    await page
      .getByRole('group', { name: 'Events that may be sent now' })
      .getByText('user.message')
      .waitFor();
    const folder = process.env['CHART_SHOTS'];
    if (folder !== undefined)
      await page.screenshot({ path: path.join(folder, 'session.png'), fullPage: true });
    expect(browser.complaints).toEqual([]);
    await browser.closePage();
  });
});
