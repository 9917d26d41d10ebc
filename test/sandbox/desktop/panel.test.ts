import { existsSync } from 'node:fs';
import { activeWindow } from '../../../sandbox/client/actions.ts';
import { TestSandboxes, until } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';
import { computerTool } from '../../support/blocks.ts';

const needed = ['bwrap', 'openbox', 'tint2', 'xterm', 'xdg-mime', 'xdotool'].map(
  (name) => `/usr/bin/${name}`,
);
const missing = needed.filter((path) => !existsSync(path));
const describeWithPanel = missing.length === 0 ? describe : describe.skip;
const COMPUTER = computerTool('computer_20250124', 800, 600);

describeWithPanel(`the desktop (needs ${needed.join(', ')})`, () => {
  let id: string;
  const test = openedForAll(() => TestSandboxes.open());
  const client = madeForAll(() => test.client());
  let first: Buffer;
  beforeAll(async () => {
    ({ id } = await client.create({ display: { width: 800, height: 600 } }));
    first = Buffer.from(await client.screenshot(id));
  });

  it('has its whole panel in its first picture', async () => {
    await test.text(client, id, 'sleep 0.5');
    expect(first.equals(await client.screenshot(id))).toBe(true);
  });

  it('has its panel when the first action comes: a click on it starts a program, which gets the keys', async () => {
    const input = { action: 'left_click', coordinate: [45, 585] };
    const clicked = await client.perform(id, { key: test.newKey(), tool: COMPUTER, input });
    expect(clicked).toMatchObject({ status: 'done', is_error: false });
    await until(async () => /xterm/i.test((await activeWindow(client, id))?.class ?? ''));
    const text = 'touch typed-in-the-terminal\n';
    await client.perform(id, { key: test.newKey(), tool: COMPUTER, input: { action: 'type', text } });
    await until(async () => (await test.text(client, id, 'ls')).includes('typed-in-the-terminal'));
  });

  it('leaves room for the panel, and nothing in the home folder but what programs do', async () => {
    expect(await test.text(client, id, 'xprop -root _NET_WORKAREA | cut -d= -f2')).toMatch(
      /^ ?0, 0, 800, 570/,
    );
    expect(await test.text(client, id, 'ls -A')).not.toContain('tint2');
  });

  it('knows which program opens what', async () => {
    const opener = (type: string): Promise<string> => test.text(client, id, `xdg-mime query default ${type}`);
    for (const [program, entry, types] of [
      ['mousepad', 'org.xfce.mousepad.desktop', ['text/plain', 'application/json']],
      ['chromium', 'chromium.desktop', ['text/html', 'x-scheme-handler/https', 'application/pdf']],
      ['pcmanfm', 'pcmanfm.desktop', ['inode/directory']],
    ] as const) {
      const there = existsSync(`/usr/bin/${program}`);
      for (const type of types) expect((await opener(type)) === entry).toBe(there);
    }
  });
});
