import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { until, WorkflowBench } from '../server/workflows/bench.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { openedForAll } from '../support/opened.ts';
import { formatDuration } from '../../web/parts/format.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The pages of workflows in a real browser, over the real routes, an engine and a worker. */

jest.setTimeout(240_000);

describeInBrowser('workflows (needs chromium)', () => {
  const folder = temporaryFolder();
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    180_000,
  );
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.start();
    await bench.serve();
  }, 180_000);
  afterEach(() => browser.closePage());
  afterAll(async () => {
    await bench.stopWorker();
    await bench.stop();
  }, 60_000);

  /** What moves for ever would keep axe waiting. */
  const open = (place: string, options: object = {}): Promise<Page> =>
    browser.open(bench.url, place, { reducedMotion: 'reduce', ...options });
  const placeOf = (id: string, search = ''): string => `/workflows/${encodeURIComponent(id)}${search}`;
  const statusOf = async (id: string): Promise<string> =>
    (await bench.of<{ status: string }>(id, 'GET ')).body.status;

  test('the list: filter, counts, new ones that wait, and many at once', async () => {
    const mine = { searchAttributes: { Customer: ['list'] } };
    const begun = await Promise.all(['a', 'b', 'c'].map((name) => bench.begin('order', [name], mine)));
    const page = await open('/workflows');
    const rows = page.getByRole('grid', { name: 'Workflows' }).getByRole('row');
    await rows.nth(3).waitFor();

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Field').selectOption('Customer');
    await page.getByRole('textbox', { name: 'Value' }).fill('list');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.waitForURL(/query=/);
    expect(await page.getByRole('searchbox', { name: 'Query' }).inputValue()).toBe(`Customer = 'list'`);
    const running = page.getByRole('radio', { name: 'Running 3' });
    // Until it is answered, the rows of the question before are shown; what begins by then is in the answer, and not new.
    const answered = page.waitForResponse((response) => {
      const { pathname, searchParams } = new URL(response.url());
      return pathname === '/v1/workflows' && /ExecutionStatus/.test(searchParams.get('query') ?? '');
    });
    await running.check({ force: true });
    await page.waitForURL(/ExecutionStatus/);
    await answered;
    await page.getByRole('checkbox', { name: 'Select all' }).waitFor();

    // Others wait above the rows until they are asked for.
    const late = await bench.begin('order', ['late'], mine);
    await page.getByRole('button', { name: '1 new. Show it' }).click();
    await page.getByRole('row', { name: new RegExp(late.workflowId) }).waitFor();

    for (const { workflowId } of begun.slice(0, 2))
      await page
        .getByRole('row', { name: new RegExp(workflowId) })
        .getByRole('checkbox')
        .check();
    await page.getByRole('button', { name: 'Terminate' }).click();
    await page.getByLabel('Reason').fill('tidying up');
    await page.getByRole('button', { name: 'Terminate 2 workflows' }).click();
    await page.getByText('Terminate: 2 of 2 done.').waitFor();
    expect(await page.getByRole('list', { name: 'Results' }).getByRole('listitem').count()).toBe(2);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // Rows stay in their places, and tell that they have ended.
    await page
      .getByRole('row', { name: new RegExp(begun[0]?.workflowId ?? '') })
      .getByText('Terminated')
      .waitFor();
    expect(await statusOf(begun[1]?.workflowId ?? '')).toBe('terminated');
    expect(await statusOf(begun[2]?.workflowId ?? '')).toBe('running');

    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto(`${bench.url}/workflows`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Mine' }).click();
    await page.waitForURL(/Customer/);
    expect(browser.complaints).toEqual([]);
  });

  test('one workflow: what it waits for, a query, a signal, an end', async () => {
    const { workflowId } = await bench.begin('order', ['mine'], { memo: { note: 'fragile' } });
    const page = await open(placeOf(workflowId));
    await page.getByText('Nothing of its own').waitFor();
    await page.getByText('"fragile"').waitFor();
    await page.getByRole('button', { name: 'Signal' }).click();
    await page.getByText('It takes').waitFor();
    await page.getByRole('combobox', { name: /^Name/ }).fill('pay');
    await page.locator('.hint', { hasText: 'Pays an amount' }).waitFor();
    await page.getByRole('textbox', { name: 'Arguments' }).fill('12');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Expected a list in square brackets').waitFor();
    await page.getByRole('textbox', { name: 'Arguments' }).fill('[12]');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The signal pay is sent.').waitFor();

    await page.getByRole('button', { name: 'Query' }).click();
    await page.getByRole('combobox', { name: /^Name/ }).fill('total');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('status', { name: 'Answer' }).getByText('12').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Terminate…' }).click();
    await page.getByLabel('Reason').fill('sold out');
    await page.getByRole('button', { name: 'Terminate', exact: true }).click();
    await page.getByText('Terminated').first().waitFor();
    await page.getByText('sold out').waitFor();
    await page.getByRole('button', { name: 'Signal' }).click();
    await page.getByRole('dialog', { name: 'Signal: not now' }).locator('.notice').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('a history in four ways, as it happens and by keys', async () => {
    const handle = await bench.begin('approval', [{}]);
    const page = await open(placeOf(handle.workflowId, '?tab=steps'));
    const steps = page.getByRole('list', { name: 'Macrosteps' });
    await steps.getByRole('button').first().click();
    await steps.getByRole('heading', { name: 'The state afterwards' }).waitFor();
    await page.waitForURL(/event=\d/);
    expect(await accessibilityFaults(page)).toEqual([]);
    // What comes is added; what is there is not asked for again.
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/explanation')) asked.push(new URL(request.url()).search);
    });
    await handle.executeUpdate('send', { args: [{ type: 'note' }] });
    await steps.getByRole('button').nth(1).waitFor();
    await page.getByText('2 macrosteps').waitFor();
    expect(asked.filter((search) => !search.includes('after_event='))).toEqual([]);

    const failing = await bench.begin('failing');
    await failing.result().catch(() => undefined);
    await page.goto(`${bench.url}${placeOf(failing.workflowId)}`);
    await page.getByText('the order is lost', { exact: true }).waitFor();
    await page.getByText('the shelf is empty', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    const history = page.getByRole('list', { name: 'History' });
    await history.getByRole('button', { name: /fetch/ }).click();
    await history.getByRole('heading', { name: /Activity task completed/ }).waitFor();
    expect(await history.getByRole('button', { name: /Workflow task/ }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Workflow tasks' }).check();
    await history
      .getByRole('button', { name: /Workflow task/ })
      .first()
      .waitFor();
    const event = new URL(page.url()).searchParams.get('event');
    expect(Number(event)).toBeGreaterThan(1);
    // What is searched for and shown is in the address, so that a link shows the same.
    const search = page.getByRole('searchbox', { name: 'Search the history' });
    await search.fill('nothing like it');
    await search.press('Enter');
    await page.getByText('Nothing in this history is like this').waitFor();
    await page.reload();
    await page.getByText('Nothing in this history is like this').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Workflow tasks' }).isChecked()).toBe(true);
    await search.fill('');
    await search.press('Enter');
    await page.getByRole('radio', { name: 'Newest first' }).check({ force: true });
    await page.waitForURL((url) => url.search.includes('order=last') && !url.search.includes('find='));
    await page.getByRole('checkbox', { name: 'Workflow tasks' }).uncheck();

    // The event stays open from one way to the next.
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const timeline = page.getByRole('group', { name: /^Timeline of/ });
    await page.getByRole('heading', { name: /Activity task completed/ }).waitFor();
    const painted = await timeline.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      };
      return data.some((value) => value > 0);
    });
    expect(painted).toBe(true);
    const span = page.locator('.timeline-span');
    const whole = await span.textContent();
    await timeline.focus();
    await page.keyboard.press('+');
    await expectChange(span, whole);
    await page.waitForURL(/[?&]from=\d+&to=\d+/);
    const address = new URL(page.url()).searchParams;
    await page.reload();
    const stretch = formatDuration(Number(address.get('to')) - Number(address.get('from')));
    await until('the same stretch', async () => (await span.textContent()) === `${stretch} shown`);
    await timeline.focus();
    await page.keyboard.press('0');
    await page.waitForURL((url) => !url.search.includes('from='));
    await page.keyboard.press('ArrowUp');
    await page.getByRole('heading', { name: /Workflow execution started/ }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Raw' }).click();
    await page
      .getByRole('list', { name: 'Events' })
      .getByRole('button', { name: /Activity task scheduled/ })
      .click();
    await page
      .getByRole('region', { name: /^Event \d/ })
      .getByText('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')
      .waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the history' }).click();
    const file = path.join(folder, 'history.json');
    await (await coming).saveAs(file);

    // The same file, without the server.
    await page.goto(`${bench.url}/workflows/file`);
    const text = fs.readFileSync(file, 'utf8');
    await drop(page, 'broken.json', '{}');
    await page.getByText('broken.json: events: Expected a list').waitFor();
    await drop(page, 'order.json', text);
    await page.getByRole('heading', { name: 'order.json' }).waitFor();
    const dropped = page.getByRole('list', { name: 'History' });
    await dropped.getByRole('button', { name: /fetch/ }).click();
    await dropped.getByText('"nothing"').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('group', { name: /^Timeline of/ }).waitFor();
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByRole('list', { name: 'Events' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('payloads: bytes are downloaded, and a large one shows all of itself when it is asked to', async () => {
    const { workflowId } = await bench.begin('order', ['payloads', 0]);
    const payload = (encoding: string, data: Uint8Array) => ({
      metadata: { encoding: Buffer.from(encoding) },
      data,
    });
    const large = { first: 'x'.repeat(60_000), last: 'the very end' };
    await bench.temporal.client.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      signalName: 'unheard',
      input: {
        payloads: [
          payload('binary/plain', new Uint8Array([0, 1, 255])),
          payload('json/plain', Buffer.from(JSON.stringify(large))),
          payload('binary/encrypted', Buffer.from('xyz')),
        ],
      },
    });
    const page = await open(placeOf(workflowId, '?tab=compact'));
    const history = page.getByRole('list', { name: 'History' });
    await history.getByRole('button', { name: /unheard/ }).click();
    const coming = page.waitForEvent('download');
    await history.getByRole('button', { name: 'Download 3 B' }).first().click();
    const file = path.join(folder, 'bytes.bin');
    await (await coming).saveAs(file);
    expect([...fs.readFileSync(file)]).toEqual([0, 1, 255]);
    await history
      .getByText(/binary\/encrypted/)
      .first()
      .waitFor();
    await history.getByText('the very end').waitFor({ state: 'detached' });
    await history.getByRole('button', { name: /^Show all [56]\d/ }).click();
    await history.getByText('the very end').waitFor();
    expect(await history.getByRole('button', { name: /^Show all/ }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  test('a run is reset from an event of its history', async () => {
    const handle = await bench.begin('order', ['reset']);
    await handle.signal('pay', 3);
    await handle.query('total');
    const page = await open(placeOf(handle.workflowId));
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /^Reset/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('once more');
    await dialog.getByRole('button', { name: /^Reset/ }).click();
    await until('another run', async () => {
      const { body } = await bench.of<{ run_id: string }>(handle.workflowId, 'GET ');
      return body.run_id !== handle.firstExecutionRunId;
    });
    await page.getByText('Running').first().waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('a workflow that waits, on a phone in the dark', async () => {
    const { workflowId } = await bench.begin('waiting');
    await until('the activity to fail', async () => {
      const { body } = await bench.of<{ pending_activities: { attempt: number }[] }>(workflowId, 'GET ');
      return body.pending_activities[0]?.attempt === 2;
    });
    const page = await open('/workflows', { colorScheme: 'dark', viewport: { width: 360, height: 800 } });
    await page.getByRole('row').nth(1).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${bench.url}${placeOf(workflowId)}`);
    await page.getByText('attempt 2 of 3').waitFor();
    await page.getByText('no luck with [hidden]', { exact: true }).waitFor();
    await page.getByText('until the shop opens').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('list', { name: 'History' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});

async function expectChange(
  place: { textContent(): Promise<string | null> },
  before: string | null,
): Promise<void> {
  await until('another text', async () => (await place.textContent()) !== before);
}

/** Drops a file on the page, as somebody does with a mouse. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([called, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content ?? ''], called ?? '', { type: 'application/json' }));
      return data;
    },
    [name, text],
  );
  await page.dispatchEvent('.file-drop', 'drop', { dataTransfer: transfer });
}
