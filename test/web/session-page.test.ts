import type { Page } from 'playwright-core';
import { startServer, stopServers } from '../server/harness.ts';
import { events, idle, say } from '../e2e/support.ts';
import { faultsInEachLook } from '../support/looks.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { openedForAll } from '../support/opened.ts';
import { Product } from '../support/product.ts';
import { unzipped } from '../support/unzipped.ts';
import { filmOfSegments } from '../../sandbox/film/index.ts';
import { played, recordedByBrowser } from './played-film.ts';
import { realSession } from './real-session.ts';
import { seedMany, seedTools } from './seed-tools.ts';

/**
 * A session's page in a real browser: its turns, its time, what it asks and what it cost. All but the long log look at one
 * session that a real agent had, in one window, one after the other.
 */

jest.setTimeout(120_000);

describeInBrowser('the page of a session (needs chromium)', () => {
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    120_000,
  );
  const product = openedForAll(
    async () => {
      const started = new Product();
      await started.start();
      return started;
    },
    (it) => it.dispose(),
    120_000,
  );
  let id = '';
  let page: Page;
  beforeAll(async () => {
    id = await realSession(product);
    page = await browser.open(product.url, `/sessions/${id}`);
  }, 120_000);
  afterAll(() => stopServers());

  const address = (): URLSearchParams => new URL(page.url()).searchParams;
  /** Goes to another address of the page as a link does, without loading it anew. */
  const show = async (search: string, height = 900): Promise<void> => {
    await page.setViewportSize({ width: 1280, height });
    await page.evaluate((to) => history.pushState(null, '', to), `/sessions/${id}${search}`);
  };
  const screen = () => page.getByRole('region', { name: 'Screen' });
  const time = () => page.getByRole('region', { name: 'Time' });
  const useOf = async (command: string): Promise<string> =>
    (await events(product.client, id)).findLast(
      (event) => event.type === 'agent.tool_use' && JSON.stringify(event.input).includes(command),
    )?.id ?? '';

  test('each tool use is shown as what it is', async () => {
    await show('', 7000);
    const turns = page.getByRole('list', { name: 'Turns' });
    await turns.getByText(/^The list is saved/).waitFor();
    expect(await turns.locator('.ansi-red.ansi-bold').allInnerTexts()).toEqual(['FAIL']);
    expect(await turns.locator('.found mark').allInnerTexts()).toEqual(['total', 'total']);
    expect(await turns.locator('.diff-line.gone').allInnerTexts()).toEqual([
      expect.stringContaining('let total = 1;'),
    ]);
    expect(await turns.locator('.diff-line.new').allInnerTexts()).toEqual([
      expect.stringContaining('let total = 0;'),
    ]);
    expect(await turns.locator('.diff-line.same').count()).toBe(1);
    await turns.getByRole('group', { name: 'Keys: ctrl+s' }).getByText('ctrl').waitFor();
    await turns.getByRole('group', { name: 'Typed: bread' }).getByText('⏎').waitFor();
    await turns.getByRole('group', { name: 'Input of weather' }).getByText('"Oslo"').waitFor();
    // The click: its place on the picture before it and after it.
    for (const when of ['Before', 'After']) {
      const figure = turns.locator('figure', {
        has: page.getByRole('img', { name: `${when}: left click at 256, 192` }),
      });
      const dot = figure.locator('circle.dot');
      await dot.waitFor();
      const [image, place] = await Promise.all([figure.locator('img').boundingBox(), dot.boundingBox()]);
      if (image === null || place === null) throw new Error('not shown');
      expect((place.x + place.width / 2 - image.x) / image.width).toBeCloseTo(0.25, 1);
      expect((place.y + place.height / 2 - image.y) / image.height).toBeCloseTo(0.25, 1);
    }
    // Bookkeeping is one click away.
    expect(await page.getByText('span.model_request_end').count()).toBe(0);
    await page.getByRole('tab', { name: 'Log' }).click();
    await page
      .getByRole('button', { name: /span\.model_request_end/ })
      .first()
      .click();
    await page.getByText('cache_read_input_tokens').first().waitFor();
    expect(address().get('view')).toBe('log');
    expect(browser.complaints).toEqual([]);
  });

  test('the scrubber, the keys and the address show the same moment', async () => {
    await show('');
    await time().getByText('newest', { exact: true }).waitFor();
    await time().getByRole('button', { name: 'Screenshot 2: left click at 256, 192' }).click();
    await screen().locator('circle.dot').waitFor();
    const at = address().get('at');
    expect(at).toMatch(/^sevt_/);
    await page.locator('[aria-current=true]', { hasText: 'left click at 256, 192' }).waitFor();
    expect(await time().getByRole('slider').getAttribute('aria-valuetext')).toBe('left click at 256, 192');

    // The address alone shows the same.
    await page.reload();
    await screen().getByRole('img', { name: 'The screen after: left click at 256, 192' }).waitFor();
    await screen().locator('circle.dot').waitFor();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.searchParams.get('at') !== at);
    await page.keyboard.press('j');
    await screen().locator('circle.dot').waitFor();
    expect(address().get('at')).toBe(at);
    await page.keyboard.press('e');
    await page.locator('[aria-current=true]', { hasText: 'FAIL' }).waitFor();

    // Sixteen times as fast, it plays to the end and follows the newest again.
    await time().getByLabel('Speed').selectOption('16');
    await time().getByRole('button', { name: 'Play' }).click();
    await time().getByText('newest', { exact: true }).waitFor();
    expect(address().get('at')).toBeNull();
    expect(browser.complaints).toEqual([]);
  });

  test('the statechart stands at the moment of the scrubber, and moves it', async () => {
    const click = await useOf('left_click');
    await show(`?view=machine&at=${click}`);
    const active = (state: string) => page.locator(`g.state.active[data-state$=".${state}"]`);
    const step = page.locator('.machine-line strong');
    await active('tool_use').waitFor();
    await screen().locator('circle.dot').waitFor();
    expect(await step.innerText()).toMatch(/^tool_use/);
    // On to the next steps of the machine: the moment of the page goes with them.
    while (address().get('at') === click)
      await page.getByRole('button', { name: 'One step of the machine on' }).click();
    const next = address().get('at');
    expect(next).toMatch(/^sevt_/);
    await page.keyboard.press(',');
    await page.waitForURL((url) => url.searchParams.get('at') === click);
    // The workflow's own page shows the same step, and leads back to the moment.
    const stood = await step.innerText();
    await page.getByRole('link', { name: 'In its workflow' }).click();
    await active(stood.split('.')[0] ?? '').waitFor();
    expect(address().get('tab')).toBe('statechart');
    await page.getByRole('link', { name: 'The session at this moment' }).click();
    await screen().locator('circle.dot').waitFor();
    await active('tool_use').waitFor();
    // The newest moment is the machine's rest.
    await page.getByRole('button', { name: 'Back to newest' }).click();
    await active('idle').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('costs are those that the server counts', async () => {
    await show('?view=cost');
    await page.getByRole('table', { name: 'By turn' }).waitFor();
    const { usage } = await product.client.beta.sessions.retrieve(id);
    const counted = (tokens: number | null | undefined): string =>
      new Intl.NumberFormat('en-US').format(tokens ?? 0);
    const sums = (await page.getByLabel('Sum').innerText()).replaceAll(/\s+/g, ' ');
    expect(sums).toContain(`Tokens in ${counted(usage?.input_tokens)} `);
    expect(sums).toContain(`Tokens out ${counted(usage?.output_tokens)} `);
    expect(usage?.input_tokens).toBeGreaterThan(0);
    await page.getByText('This session has no limits.').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('what is saved of a session: a film that plays, and a test that replays it', async () => {
    await show('');
    await time().getByText('newest', { exact: true }).waitFor();
    const saved = async (item: string): Promise<{ name: string; bytes: Buffer }> => {
      await page.getByRole('button', { name: 'More about this session' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
      return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
    };
    const film = await saved('Save the film of its screen');
    expect(film.name).toBe(`${id}.webm`);
    const shots = (await events(product.client, id)).filter(
      (event) => event.type === 'agent.tool_result' && event.content?.some(({ type }) => type === 'image'),
    );
    const [first, last] = [shots[0], shots.at(-1)].map((event) =>
      Date.parse((event as { processed_at?: string } | undefined)?.processed_at ?? ''),
    );
    const real = ((last ?? 0) - (first ?? 0)) / 1000 + 2;
    const shown = await played(page, film.bytes);
    expect(shown).toMatchObject({ width: 1024, height: 768, duration: expect.closeTo(real, 1) as number });
    // It can be sought in, and shows something else later on, when the terminal was there.
    expect(shown.sought).toBeCloseTo(shown.duration - 0.5, 1);
    expect(shown.differing).toBeGreaterThan(0.05);

    const zip = await saved('Save as a test that replays it');
    const files = unzipped(zip.bytes);
    const recorded = JSON.parse(String(files.get(`${id}/session.json`))) as { happened: object[] };
    expect(recorded.happened).toContainEqual({ used: 'weather', input: { city: 'Oslo', days: 3 } });
    expect(browser.complaints).toEqual([]);
  });

  test('segments of a recording that another program has written become one film', async () => {
    const segment = await recordedByBrowser(page);
    const at = Date.UTC(2026, 0, 1);
    const read = async (bytes: Buffer): Promise<Uint8Array> => await Promise.resolve(bytes);
    const film = await filmOfSegments(
      [
        { at, read: () => read(segment) },
        // A crash has cut the second one off.
        { at: at + 10_000, read: () => read(segment.subarray(0, segment.length - 100)) },
      ],
      { longestPauseMs: 3000 },
    );
    if (film === undefined) throw new Error('nothing was read');
    const parts: Uint8Array[] = [];
    for await (const part of film.body()) parts.push(part);
    await film.close();
    const shown = await played(page, Buffer.concat(parts));
    expect(shown).toMatchObject({ width: 320, height: 240 });
    expect(shown.duration).toBeCloseTo(film.durationMs / 1000, 1);
    expect(shown.sought).toBeCloseTo(shown.duration - 0.5, 1);
  });

  test('what is approved always is not asked again, is listed as such, and can be withdrawn', async () => {
    await show('');
    await say(
      product.client,
      id,
      JSON.stringify([{ bash: 'touch one two' }, { bash: 'touch three' }, { bash: 'touch four > five' }]),
    );
    const question = page.getByRole('group', { name: 'The agent asks: touch one two' });
    await question.getByText('Always for this session').click();
    await question.getByText('exactly the command “touch one two”').waitFor();
    const broader = 'every command that begins with “touch” and redirects nothing';
    await question.getByRole('radio', { name: broader }).check();
    await question.getByRole('button', { name: 'Approve and remember' }).click();
    // The second is not asked about; the third redirects something.
    const third = page.getByRole('group', { name: 'The agent asks: touch four > five' });
    await third.waitFor();
    await third.getByLabel('Reason for a no').fill('No new files.');
    await third.getByRole('button', { name: 'Deny' }).click();
    await third.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Policy' }).click();
    const decisions = page.locator('.decisions');
    await decisions.getByText(`a person said yes: from now on ${broader}`).waitFor();
    await decisions
      .getByRole('listitem')
      .filter({ hasText: 'touch three' })
      .getByText(`allowed by a person for this session: ${broader}`)
      .waitFor();
    await decisions.getByText('a person said no: No new files.').waitFor();
    expect(await idle(product, id)).toBe('end_turn');
    const granted = page.getByRole('region', { name: 'Allowed for this session' });
    await granted.getByRole('button', { name: 'Withdraw' }).click();
    await granted.getByText('Nothing: what has to be asked is asked each time.').waitFor();
    await decisions.getByText('a person withdrew it').waitFor();
    expect(await product.client.beta.sessions.retrieve(id)).toMatchObject({ grants: [] });
    expect(browser.complaints).toEqual([]);
  });

  test('a click that waits is drawn on the screen', async () => {
    await show('');
    await say(
      product.client,
      id,
      JSON.stringify([{ computer: { action: 'double_click', coordinate: [740, 120] } }]),
    );
    await page.getByRole('group', { name: 'The agent asks: double click at 740, 120' }).waitFor();
    const mark = screen().locator('.place-mark.pending');
    await mark.waitFor();
    expect(await mark.getAttribute('data-x')).toBe('740');
    expect(browser.complaints).toEqual([]);
  });

  // While the click waits.
  test('each view is in order in each look', async () => {
    const question = page.getByRole('group', { name: /The agent asks/ });
    await question.waitFor();
    if (!(await question.getByRole('radio').isVisible()))
      await question.getByText('Always for this session').click();
    await question.getByRole('radio').waitFor();
    const faults: string[] = [];
    for (const view of ['Turns', 'Machine', 'Cost', 'Network', 'Files', 'Policy', 'Log']) {
      await page.getByRole('tab', { name: view }).click();
      await page.getByRole('tab', { name: view, selected: true }).waitFor();
      if (view === 'Machine') await page.locator('g.state').first().waitFor();
      await page.locator('.tab-panel .loading').waitFor({ state: 'detached' });
      // What stands around the views is the same for all of them.
      const within = view === 'Turns' ? undefined : '[role=tabpanel]:not([hidden])';
      faults.push(...(await faultsInEachLook(page, view, { within })));
    }
    expect(faults).toEqual([]);
  });

  test('10,000 events scroll from end to end without a long task', async () => {
    const { url, store } = await startServer();
    const session = await seedTools(store);
    await seedMany(session, 10_000);
    const long = await browser.open(url, `/sessions/${session.id}`);
    await long.getByText('echo step 4999').waitFor();
    expect(await long.getByRole('list', { name: 'Turns' }).getByRole('listitem').count()).toBeLessThan(80);
    const most = await long.evaluate(async () => {
      const box = document.querySelector('.turn-box');
      if (box === null) throw new Error('no turns');
      let rows = 0;
      for (let step = 60; step >= 0; step -= 1) {
        box.scrollTop = (box.scrollHeight * step) / 60;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        rows = Math.max(rows, box.querySelectorAll('[role=listitem], li').length);
      }
      return rows;
    });
    // However far one scrolls, no more rows are drawn than about what is in view.
    expect(most).toBeLessThan(200);
    // Rows that were measured on the way have moved what is in view.
    await long.locator('.turn-box').evaluate((box) => (box.scrollTop = 0));
    await long.getByText('Fix the failing test').waitFor();
    expect(browser.complaints).toEqual([]);
    // Nothing has run this session: it has a log, and no workflow.
    await long.getByRole('tab', { name: 'Machine' }).click();
    await long.getByText('The machine has not run yet').waitFor();
  });
});
