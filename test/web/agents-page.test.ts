import type { Page } from 'playwright-core';
import { createSessions, type Sessions } from '../../sessions/index.ts';
import { type Running, serveOnOnePort, startServer, stopServers } from '../server/harness.ts';
import { accessibilityFaults } from '../support/axe.ts';
import { describeInBrowser, watchedBrowser } from '../support/browser.ts';
import { faultsInEachLook } from '../support/looks.ts';
import { openedForAll } from '../support/opened.ts';

/** The pages of agents, environments and scripts in a real browser, against the real server and store. */

jest.setTimeout(240_000);

const COMPUTER = {
  type: 'computer_20251124',
  name: 'computer',
  display_width_px: 1024,
  display_height_px: 768,
};
const CLERK = { name: 'Clerk', model: 'script', system: 'You are a clerk.\nBe polite.', tools: [COMPUTER] };

describeInBrowser('agents, environments and scripts (needs chromium)', () => {
  serveOnOnePort();
  const browser = openedForAll(
    () => watchedBrowser('static/app/main.js'),
    (it) => it.close(),
    180_000,
  );
  let running: Running;
  let sessions: Sessions;
  beforeEach(async () => {
    running = await startServer();
    sessions = createSessions({ store: running.store });
  });
  afterEach(async () => {
    await browser.closePage();
    await stopServers();
  });

  const open = (place: string, options: object = {}): Promise<Page> =>
    browser.open(running.url, place, options);
  const idIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? '';
  const choose = async (page: Page, button: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  test('an agent is made by the form, and what is wrong is said at its field', async () => {
    const page = await open('/agents');
    await page.getByText('No agent yet').waitFor();
    await page.getByRole('link', { name: 'New agent' }).first().click();
    await page.getByRole('button', { name: 'Create' }).click();
    const name = page.getByRole('textbox', { name: /^Name \(needed\)/ });
    await page.locator(':focus[aria-invalid=true]').waitFor();
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
    await name.fill('Clerk');
    await page.getByRole('combobox', { name: /^Model/ }).fill('nobody-has-this');
    await page.getByRole('textbox', { name: 'System prompt' }).fill('You are a clerk.');

    await choose(page, 'Add a tool', 'Custom tool');
    const tool = page.getByRole('group', { name: 'Tool 1: Custom tool' });
    await tool.getByRole('textbox', { name: /^Name/ }).fill('pay out');
    await tool.getByRole('textbox', { name: /^Description/ }).fill('Pays');
    await page.getByRole('button', { name: 'Create' }).click();
    // The form knows the pattern by the schema.
    await tool.locator('.field-problem', { hasText: 'Expected a text like' }).waitFor();
    await tool.getByRole('textbox', { name: /^Name/ }).fill('pay');
    await choose(page, 'Add a tool', 'Shell, 2025-01-24');
    await choose(page, 'Add a tool', 'Shell, 2024-10-22');
    await page.getByRole('button', { name: 'Create' }).click();
    // This only the server knows.
    await page.getByText('Tool names must be unique.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove tool 3' }).click();
    await page
      .getByRole('group', { name: /^Tool 2/ })
      .getByRole('combobox', { name: 'Permission' })
      .selectOption('Asks a person first');

    // The same as JSON, and back.
    await page.getByRole('radio', { name: 'JSON' }).check({ force: true });
    const code = page.getByRole('textbox', { name: 'Agent as JSON' });
    await code.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('x');
    await page.getByText('This is no JSON').waitFor();
    await page.keyboard.press('Backspace');
    await page.getByText('The form comes back once this is JSON.').waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'Form', exact: true }).check({ force: true });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Clerk' }).waitFor();
    const agent = await sessions.agents.retrieve(idIn(page));
    expect(agent).toMatchObject({
      name: 'Clerk',
      system: 'You are a clerk.',
      model: { id: 'nobody-has-this' },
      tools: [
        { type: 'custom', name: 'pay' },
        { type: 'bash_20250124', permission_policy: { type: 'always_ask' } },
      ],
    });
    await page.getByText('Asks a person first').waitFor();
    expect(browser.complaints.filter((complaint) => !complaint.includes('400 (Bad Request)'))).toEqual([]);
  });

  test('an agent is changed: versions, what they differ in, and somebody who was quicker', async () => {
    const { id } = await sessions.agents.create(CLERK);
    await sessions.agents.update(id, { system: 'You are a clerk.\nBe very polite.\nAsk first.' });
    const page = await open(`/agents/${id}/edit`);
    const prompt = page.getByRole('textbox', { name: 'System prompt' });
    await prompt.fill('You are a clerk.\nNever pay.');
    await sessions.agents.update(id, { description: 'By somebody else' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = page.getByRole('alert', { name: 'Changed meanwhile' });
    await conflict.getByText('Somebody made version 3 while you were writing on version 2').waitFor();
    await conflict.getByText('By somebody else').waitFor();
    expect(await prompt.inputValue()).toBe('You are a clerk.\nNever pay.');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save over it' }).click();
    await page.getByText('version 4', { exact: true }).waitFor();
    expect(await sessions.agents.retrieve(id)).toMatchObject({ version: 4, description: null });

    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('combobox', { name: 'From' }).selectOption('Version 1');
    await page.waitForURL(/from=1/);
    const changes = page.getByRole('group', { name: 'Changes in System prompt' });
    await changes.getByText('Never pay.').waitFor();
    expect(await changes.locator('.gone').innerText()).toContain('Be polite.');
    expect(await changes.locator('.same').innerText()).toContain('You are a clerk.');
    await page.getByRole('radio', { name: 'Side by side' }).check({ force: true });
    await page.waitForURL(/diff=split/);
    await page.reload();
    const pair = changes.locator('.diff-pair').nth(1);
    expect(await pair.innerText()).toMatch(/Be polite\.[^]*Never pay\./);
    await page.getByRole('link', { name: 'Version 2' }).click();
    await page.getByText('This is an earlier version.').waitFor();
    await page
      .getByRole('region', { name: 'Text of the system prompt' })
      .getByText('Be very polite.')
      .waitFor();
    expect(browser.complaints.filter((complaint) => !complaint.includes('409 (Conflict)'))).toEqual([]);
  });

  test('an agent is tried out with a script that is checked as it is written, and lands in the session', async () => {
    const { id } = await sessions.agents.create(CLERK);
    const { id: environment } = await sessions.environments.create({ name: 'Wood' });
    const page = await open(`/agents/${id}?tab=sessions`);
    await page.getByText('No session was made from this agent').waitFor();
    await page.getByRole('link', { name: 'Try it out' }).first().click();
    await page.getByRole('button', { name: 'Start the session' }).click();
    await page.getByText('Say what it is to do.').waitFor();
    const script = page.getByRole('textbox', { name: 'Script' });
    await script.click();
    await page.keyboard.type('- com');
    await page.getByRole('option', { name: 'computer' }).click();
    await page.keyboard.type('{action: screensh');
    await page.getByRole('option', { name: 'screenshot' }).click();
    await page.keyboard.type('}');
    await page.getByRole('textbox', { name: 'Title' }).fill('First try');
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('Wood');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'form.txt', mimeType: 'text/plain', buffer: Buffer.from('name: Ada') });
    await page.getByText('form.txt').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start the session' }).click();
    await page.getByRole('heading', { name: 'First try' }).waitFor();
    const session = idIn(page);
    const [sent] = await running.store.events.read({ session, types: ['user.message'] });
    expect(JSON.stringify(sent?.payload)).toContain('- computer: {action: screenshot}');
    expect(await sessions.retrieve(session)).toMatchObject({ environment_id: environment });
    const { data } = await sessions.resources.list(session);
    expect(data).toMatchObject([{ mount_path: '/mnt/session/uploads/form.txt' }]);
    await page.goto(`${running.url}/environments/${environment}?tab=sessions`);
    await page.getByRole('row', { name: /First try/ }).waitFor();
    await page.goto(`${running.url}/agents/${id}?tab=sessions`);
    await page.getByRole('row', { name: /First try/ }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('the list is narrowed and paged by the server, and the palette finds; an agent is archived', async () => {
    for (let number = 1; number <= 52; number += 1)
      await sessions.agents.create({ name: `Guard ${number}`, model: 'script' });
    await sessions.agents.create(CLERK);
    const page = await open('/agents');
    await page.getByRole('row', { name: /Clerk/ }).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/page=/);
    await page.getByRole('row', { name: /Guard 1 / }).waitFor();
    await page.getByRole('button', { name: 'First page' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('cler');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=cler/);
    await page.getByRole('row', { name: /Guard/ }).first().waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Clerk/ }).click();
    await page.getByRole('heading', { name: 'Clerk' }).waitFor();
    await choose(page, 'More about this agent', 'Archive…');
    const question = page.getByRole('alertdialog', { name: 'Archive “Clerk”?' });
    await question.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('archived', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
    await page.goto(`${running.url}/agents?search=cler`);
    await page.getByText('No agent is called “cler”').waitFor();
    await page.getByRole('radio', { name: 'With archived' }).check({ force: true });
    await page.getByRole('row', { name: /Clerk/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('Guard 52');
    await page.getByRole('option', { name: 'Guard 52' }).click();
    await page.getByRole('heading', { name: 'Guard 52' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByText('No environment yet').waitFor();
    // There are no workflows here to look for.
    expect(browser.complaints.filter((complaint) => !complaint.includes('404 (Not Found)'))).toEqual([]);
  });

  test('an environment is made, changed, archived and deleted', async () => {
    const page = await open('/environments/new');
    await page.getByRole('textbox', { name: /^Name/ }).first().fill('Quiet');
    await page.getByRole('combobox', { name: 'Network' }).selectOption('Only what is named');
    await page.getByRole('textbox', { name: 'Hosts' }).fill('example.com\nnot a host');
    await page.getByRole('textbox', { name: 'apt' }).fill('curl');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.field-problem', { hasText: '“not a host”' }).waitFor();
    await page.getByRole('textbox', { name: 'Hosts' }).fill('example.com');
    await page.getByRole('button', { name: 'Create' }).click();
    // The server's own sentence, at the field that it names.
    await page.getByText('packages are installed over the network').waitFor();
    await page.getByRole('checkbox', { name: 'Package managers may reach their registries' }).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Quiet' }).waitFor();
    await page.getByText('example.com').waitFor();
    const id = idIn(page);

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Hosts' }).fill('');
    await page.getByRole('textbox', { name: 'apt' }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('None are installed beside the usual ones.').waitFor();
    expect(await sessions.environments.retrieve(id)).toMatchObject({
      config: { networking: { allowed_hosts: [] }, packages: { apt: [] } },
    });
    await choose(page, 'More about this environment', 'Archive…');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('archived', { exact: true }).waitFor();
    await choose(page, 'More about this environment', 'Delete…');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No environment yet').waitFor();
    await page.goto(`${running.url}/environments/${id}`);
    await page.getByText('There is no such environment').waitFor();
    expect(browser.complaints.filter((complaint) => !/status of 40[04]/.test(complaint))).toEqual([]);
  });

  test('a script is written: errors at their lines in the parser’s words, and it runs once they are gone', async () => {
    const page = await open('/scripts?demo=crash');
    const steps = page.getByRole('textbox', { name: 'Steps' });
    await steps.getByText('sleep 6').first().waitFor();
    await page.getByRole('combobox', { name: 'Begin with' }).selectOption('My own');
    await steps.getByText('hello').first().waitFor();
    await steps.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('- jump: high');
    await page.getByText('1 error', { exact: true }).waitFor();
    await page.locator('.cm-lintRange-error', { hasText: /^- jump: high$/ }).waitFor();
    await page.keyboard.press('F8');
    await page.locator('.cm-tooltip', { hasText: 'unknown step `jump`' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The script cannot run: line 5: unknown step').waitFor();
    await steps.fill('- bash: echo hello > note.txt\n- say: The note is there.\n');
    await page.getByText('No errors').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole('textbox', { name: 'Title' }).fill('A note');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'A note' }).waitFor();
    expect(running.runtimeCalls).toEqual([`deliver ${idIn(page)}`]);
    expect(browser.complaints).toEqual([]);
  });

  test('no letter is lost, however the renderings of the page fall between those that are typed', async () => {
    const page = await open('/scripts');
    const steps = page.getByRole('textbox', { name: 'Steps' });
    await steps.fill('');
    await steps.focus();
    const typed = Array.from({ length: 200 }, (_, index) => `${index % 10}`).join('');
    await steps.evaluate(async (_, text) => {
      for (const letter of text) {
        document.execCommand('insertText', false, letter);
        // Whatever the page has to do comes between two letters at one place or another.
        await new Promise<void>((next) => setTimeout(next));
      }
      const frame = (): Promise<unknown> => new Promise((shown) => requestAnimationFrame(shown));
      await frame();
      await frame();
    }, typed);
    expect(await steps.innerText()).toBe(typed);
    expect(browser.complaints).toEqual([]);
  });

  test('a script that was not checked is not called free of errors', async () => {
    const page = await open('/agents');
    let loaded = (): void => undefined;
    const held = new Promise<void>((resolve) => (loaded = resolve));
    await page.route('**/chunks/code-mirror-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${running.url}/scripts`);
    await page.getByText('Steps: loading').waitFor();
    const said = page.getByRole('status').filter({ hasText: /errors?$|checked/ });
    expect(await said.allTextContents()).toEqual(['Not checked yet']);
    loaded();
    await page.getByText('No errors').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test('what cannot be had is said: nothing there, a server that fails, and no server', async () => {
    const { id } = await sessions.agents.create(CLERK);
    const page = await open('/agents/agent_none');
    await page.getByText('There is no such agent').waitFor();
    await page.route('**/v1/agents?**', (route) =>
      route.fulfill({ status: 403, json: { error: { message: 'Not today.' } } }),
    );
    await page.goto(`${running.url}/agents`);
    await page.getByRole('alert').getByText('Not today.').waitFor();
    await page.unroute('**/v1/agents?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Clerk/ }).waitFor();
    await page.goto(`${running.url}/agents/${id}/edit`);
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Kept');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    expect(await page.getByRole('textbox', { name: 'System prompt' }).inputValue()).toBe('Kept');
    await page.context().setOffline(false);
  });

  test('the pages are in order in each look', async () => {
    const { id } = await sessions.agents.create({
      ...CLERK,
      tools: [...CLERK.tools, { type: 'agent_toolset_20260401' }],
      policy: { rules: [{ match: { command: '^rm' }, decision: 'ask' }] },
      metadata: { team: 'office' },
    });
    await sessions.agents.update(id, { system: 'You are a clerk.\nBe quick.' });
    const { id: environment } = await sessions.environments.create({ name: 'Wood' });
    const page = await open('/agents');
    const faults: string[] = [];
    for (const [place, shown] of [
      ['/agents', 'Clerk'],
      [`/agents/${id}`, 'Be quick.'],
      [`/agents/${id}?tab=versions&diff=split`, 'Be quick.'],
      [`/agents/${id}/edit`, 'All members'],
      ['/environments', 'Wood'],
      [`/environments/${environment}`, 'Everything may be reached.'],
      [`/environments/${environment}/edit`, 'Everything may be reached'],
      ['/scripts?demo=web', 'Place order'],
    ] as const) {
      await page.goto(`${running.url}${place}`);
      await page.getByText(shown).first().waitFor({ state: 'attached' });
      faults.push(...(await faultsInEachLook(page, place.replaceAll(/\W+/g, '-'))));
    }
    expect(faults).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
