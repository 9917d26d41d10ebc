import fs from 'node:fs';
import { Product } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { events, idle, make, prepare, resultTexts, say, until, type Events } from './support.ts';

/** Scripts that read the screen: real windows, the real text recognition, a server that is killed on the way. */

const missing = ['Xvfb', 'openbox', 'xdotool', 'mousepad'].filter(
  (name) => !fs.existsSync(`/usr/bin/${name}`),
);
const describeOnDesktop = missing.length === 0 ? describe : describe.skip;

const product = new Product();

/** Small, as each look at the screen takes as long as it is large. */
const SCREEN = [800, 600] as const;

const session = async (): Promise<string> => {
  const { agent, environment_id } = await prepare(product.client, {}, SCREEN);
  return (await product.client.beta.sessions.create({ agent, environment_id })).id;
};

/** What the agent has said, reply by reply. */
function said(log: Events): string[] {
  return log.flatMap((event) =>
    event.type === 'agent.message'
      ? [event.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')]
      : [],
  );
}

const saying = (log: Events, text: string): boolean => said(log).some((words) => words.includes(text));

const actions = (log: Events): unknown[] =>
  log.flatMap((event) => (event.type === 'agent.tool_use' ? [event.input['action'] ?? event.name] : []));

/** As the design has it, and nothing but it. */
const SAMPLE = `
- bash: echo hello > note.txt
- edit: {command: str_replace, path: /home/agent/note.txt, old_str: hello, new_str: good morning}
- bash: "mousepad note.txt &"
- wait_for: good morning
- key: ctrl+End
- type: ", world"
- key: ctrl+s
- computer: {action: screenshot}
- say: The note is written.
`;

/** The window opens only when it is let, and what is wanted stands in a menu and a dialog. */
const DIALOG = `
- bash: echo good morning > note.txt; (until [ -e go ]; do sleep 0.1; done; exec mousepad note.txt) > /dev/null 2>&1 &
- wait_for: good morning
- click: Search
- wait_for: Find and Replace...
- click: Find and Replace...
- type_into: {field: "Search for:", text: morning}
- type_into: {field: "Replace with:", text: evening}
- click: Find
- click: Replace
- click: Close
- expect: good evening
- double_click: evening
- type: night
- key: ctrl+s
- bash: until grep -q night note.txt; do sleep 0.1; done; cat note.txt
- expect: good night
- click: Quit without a word
  or_continue: true
- say: Done.
`;

describeOnDesktop(
  `a script that reads the screen${missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''}`,
  () => {
    beforeAll(() => product.start(), 120_000);
    afterAll(() => product.dispose(), 120_000);

    test('waits for a window and types into it', async () => {
      const id = await session();
      await say(product.client, id, SAMPLE);
      expect(await idle(product, id)).toBe('end_turn');
      expect(said(await events(product.client, id)).at(-1)).toContain('The note is written.');
      await say(
        product.client,
        id,
        '- bash: until grep -q world note.txt; do sleep 0.1; done; cat note.txt\n- expect: ", world"',
      );
      await until(
        product,
        id,
        'the second message',
        (log) => resultTexts(log).at(-1)?.startsWith('good') ?? false,
      );
      expect(await idle(product, id)).toBe('end_turn');
      expect(resultTexts(await events(product.client, id)).at(-1)).toContain('good morning\n, world');
    }, 360_000);

    test('clicks, and types into fields; kill -9 while it waits and while it acts, and nothing is done twice', async () => {
      const id = await session();
      await say(product.client, id, DIALOG);
      await until(product, id, 'a look in vain', (log) => saying(log, '"good morning" is not there yet'));
      await product.kill();
      await product.start();
      await make(product, id, 'go');
      await until(product, id, 'a field', (log) => saying(log, '"Search for:" at'));
      await product.kill();
      await product.start();
      expect(await idle(product, id)).toBe('end_turn');

      const log = await events(product.client, id);
      expect(said(log).at(-1)).toContain('Done.\nScript: finished, 18 of 18 steps.');
      expect(said(log).at(-1)).toMatch(/"Quit without a word" is not on the screen; it reads: .*Mousepad/);
      expect(resultTexts(log)).toContain('good night');
      expect(saying(log, 'its field right of it')).toBe(true);
      const done = actions(log);
      expect(done.filter((action) => action === 'left_click')).toHaveLength(7);
      expect(done.filter((action) => action === 'mouse_move')).toHaveLength(8);
      expect(done.filter((action) => action === 'double_click')).toHaveLength(1);
      expect(done.filter((action) => action === 'type')).toHaveLength(3);
    }, 360_000);

    test('every workflow history that these sessions made replays', async () => {
      expect(await replaySessions(product)).toBeGreaterThanOrEqual(2);
    }, 360_000);
  },
);
