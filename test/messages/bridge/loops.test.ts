import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { BetaAbstractComputerToolset20260801 } from '@anthropic-ai/sdk/helpers/beta/toolsets';
import type {
  BetaMessage,
  BetaMessageParam,
  BetaToolResultBlockParam,
  BetaToolUseBlock,
} from '@anthropic-ai/sdk/resources/beta/messages/messages.js';
import { pino } from 'pino';
import { sandboxService } from '../../../app/sandbox-service.ts';
import { createAnthropicProvider } from '../../../messages/providers/anthropic/anthropic-provider.ts';
import { createProviderRegistry } from '../../../messages/routing/registry.ts';
import { createSandboxes } from '../../../sandbox/client/hosted-sandboxes.ts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { builtSandbox, type Bundles } from '../../sandbox/helpers/bundles.ts';
import { startServer, stopServers } from '../../server/harness.ts';
import {
  reply,
  startUpstream,
  text,
  thinking,
  toolUse,
  type Block,
} from '../../support/anthropic-upstream.ts';
import { openedForAll } from '../../support/opened.ts';
import { computerTool, toolResult } from '../../support/blocks.ts';
import { posted } from '../../support/posted.ts';

/** Whole loops over sockets: a client of one generation, this server, a model of another. */

const missing = ['Xvfb', 'openbox', 'bwrap'].filter((program) => !fs.existsSync(`/usr/bin/${program}`));
const describeOnDesktop = missing.length === 0 ? describe : describe.skip;

const member = (id: string, name: string, input: object = {}): Block => ({
  ...toolUse(id, name, input),
  toolset_name: 'computer',
});
const computer = (id: string, action: string, input: object = {}): Block =>
  toolUse(id, 'computer', { action, ...input });

type Wire = Readonly<Record<string, unknown>>;

const upstream = openedForAll(startUpstream);
afterEach(() => upstream.reset());
afterAll(stopServers, 180_000);

/** The official client, pointed at a server whose models are the double's. */
async function clientOf(sandboxes?: Sandboxes): Promise<{ client: Anthropic; url: string }> {
  const provider = createAnthropicProvider({ apiKey: 'sk-upstream', baseURL: upstream.baseURL });
  const { url } = await startServer({
    providers: createProviderRegistry([{ model: 'claude-*', provider }]),
    ...(sandboxes === undefined ? {} : { sandboxes: sandboxService(sandboxes) }),
  });
  return { client: new Anthropic({ baseURL: url, apiKey: 'unused-on-loopback', maxRetries: 0 }), url };
}

/** The blocks of the last message that the model was sent. */
function lastRead(index: number): readonly Wire[] {
  const messages = upstream.seen[index]?.body['messages'] as readonly { content: readonly Wire[] }[];
  return messages.at(-1)?.content ?? [];
}

/** The tools that the model was offered at first. */
function offered(): readonly Wire[] {
  return (upstream.seen[0]?.body['tools'] ?? []) as readonly Wire[];
}

describeOnDesktop('a loop of October 2024 on a model of today (needs Xvfb, openbox and bubblewrap)', () => {
  let bundles: Bundles;
  let sandboxes: Sandboxes;
  let dir: string;

  beforeAll(async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bridge-loops-'));
    bundles = builtSandbox();
    const { daemonEntry, guestEntry } = bundles;
    const logger = pino({ level: 'silent' });
    sandboxes = createSandboxes({ dir, daemonEntry, guestEntry, isolation: 'auto', logger });
  }, 180_000);
  afterAll(async () => {
    for (const { id } of await sandboxes.list()) await sandboxes.delete(id);
    sandboxes.close();
    fs.rmSync(dir, { recursive: true, force: true });
  }, 180_000);

  const TOOLS = [
    { type: 'computer_20241022', name: 'computer', display_width_px: 640, display_height_px: 480 },
    { type: 'bash_20241022', name: 'bash' },
    { type: 'text_editor_20241022', name: 'str_replace_editor' },
  ] as const;

  /** Asks until the model wants no tool; every use is carried out in a sandbox, as that loop did. */
  async function loop(
    client: Anthropic,
    url: string,
    sandbox: string,
    streaming: boolean,
  ): Promise<{ last: BetaMessage; done: BetaToolUseBlock[] }> {
    const messages: BetaMessageParam[] = [{ role: 'user', content: 'Write a note.' }];
    const done: BetaToolUseBlock[] = [];
    for (;;) {
      const request = {
        model: 'claude-opus-5-5',
        max_tokens: 4096,
        tools: [...TOOLS],
        betas: ['computer-use-2024-10-22'],
        messages,
      };
      const answer = streaming
        ? await client.beta.messages.stream(request).finalMessage()
        : await client.beta.messages.create(request);
      messages.push({ role: 'assistant', content: answer.content });
      const uses = answer.content.filter((block) => block.type === 'tool_use');
      if (uses.length === 0) return { last: answer, done };
      done.push(...uses);
      const response = await fetch(
        `${url}/v1/sandboxes/${sandbox}/tool_results`,
        posted({ tools: TOOLS, content: uses }),
      );
      const { content } = (await response.json()) as { content: BetaToolResultBlockParam[] };
      messages.push({ role: 'user', content });
    }
  }

  test.each([
    ['whole replies', false],
    ['streamed replies', true],
  ])(
    'drives a real sandbox, with %s',
    async (_how, streaming) => {
      const { client, url } = await clientOf(sandboxes);
      const { id } = await sandboxes.create({ display: { width: 640, height: 480 } });
      upstream.queue.push(
        reply([thinking('Look first.'), text('I look.'), member('toolu_1', 'screenshot')]),
        reply([
          member('toolu_2', 'left_click', { coordinate: [120, 90] }),
          member('toolu_3', 'cursor_position'),
          member('toolu_4', 'key', { text: 'ESC', repeat: 2 }),
        ]),
        reply([
          toolUse('toolu_5', 'bash', { command: 'printf "one\\n" > ~/note.txt' }),
          toolUse('toolu_6', 'str_replace_based_edit_tool', {
            command: 'insert',
            path: '/home/agent/note.txt',
            insert_line: 1,
            insert_text: 'two\n',
          }),
          toolUse('toolu_7', 'bash', { command: 'cat ~/note.txt' }),
        ]),
        reply([member('toolu_8', 'scroll', { scroll_direction: 'down', scroll_amount: 3 })]),
        reply([
          member('toolu_9', 'left_click_drag', { start_coordinate: [10, 20], coordinate: [30, 40] }),
          member('toolu_10', 'cursor_position'),
        ]),
        reply([text('The note is written.')]),
      );
      const { last, done } = await loop(client, url, id, streaming);

      // The client saw its own tools alone, and its own actions.
      expect(last.content).toMatchObject([{ type: 'text', text: 'The note is written.' }]);
      expect(done.map(({ name, input }) => (input as { action?: string }).action ?? name)).toEqual([
        'screenshot',
        'mouse_move',
        'left_click',
        'cursor_position',
        'key',
        'bash',
        'str_replace_editor',
        'bash',
        'mouse_move',
        'left_click_drag',
        'cursor_position',
      ]);
      expect(done.find(({ input }) => (input as { action?: string }).action === 'key')?.input).toEqual({
        action: 'key',
        text: 'Escape Escape',
      });

      // The model saw its own: the toolset, no beta of the old tools, and its own words in the history.
      const [first] = upstream.seen;
      expect(offered().map(({ type }) => type)).toEqual([
        'computer_toolset_20260801',
        'bash_20250124',
        'text_editor_20250728',
      ]);
      expect(String(first?.headers['anthropic-beta'] ?? '')).not.toContain('computer-use');
      const results = lastRead(2);
      expect(results.map(({ tool_use_id: of, toolset_name: set }) => [of, set])).toEqual([
        ['toolu_2', 'computer'],
        ['toolu_3', 'computer'],
        ['toolu_4', 'computer'],
      ]);
      // It really happened: the cursor is where the model clicked, the file holds both lines.
      expect(JSON.stringify(results[1])).toContain('X=120,Y=90');
      expect(results[0]?.['content']).toEqual([expect.objectContaining({ type: 'image' })]);
      expect(JSON.stringify(lastRead(3)[2])).toContain('one\\ntwo');
      // Scrolling is not for this client: the model was told, and did something else.
      expect(lastRead(4)).toEqual([
        expect.objectContaining({ tool_use_id: 'toolu_8', is_error: true, toolset_name: 'computer' }),
      ]);
      expect(JSON.stringify(lastRead(5)[1])).toContain('X=30,Y=40');
      const history = upstream.seen[5]?.body['messages'] as readonly { content: readonly Wire[] }[];
      expect(history[3]?.content).toEqual([
        expect.objectContaining({ id: 'toolu_2', name: 'left_click', input: { coordinate: [120, 90] } }),
        expect.objectContaining({ id: 'toolu_3', name: 'cursor_position' }),
        expect.objectContaining({ id: 'toolu_4', name: 'key', input: { text: 'Escape', repeat: 2 } }),
      ]);
      expect(history[1]?.content[0]).toMatchObject({
        type: 'thinking',
        thinking: 'Look first.',
        signature: 'c2lnbmVk',
      });
    },
    60_000,
  );
});

const SCREEN =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A desktop that writes down what is done to it, under the official SDK's own toolset. */
class Desktop extends BetaAbstractComputerToolset20260801 {
  readonly did: string[] = [];
  #cursor: readonly [number, number] = [0, 0];

  #note(what: string): void {
    this.did.push(what);
  }

  protected override screenshot(): { data: string; mediaType: 'image/png' } {
    this.#note('screenshot');
    return { data: SCREEN, mediaType: 'image/png' };
  }

  protected override cursor_position(): { x: number; y: number } {
    const [x, y] = this.#cursor;
    return { x, y };
  }

  protected override mouse_move(_context: unknown, { coordinate }: { coordinate: number[] }): void {
    const [x = 0, y = 0] = coordinate;
    this.#cursor = [x, y];
    this.#note(`move ${x},${y}`);
  }

  protected override left_mouse_down(): void {
    this.#note('down');
  }

  protected override left_mouse_up(): void {
    this.#note('up');
  }

  protected override left_click(_context: unknown, { coordinate }: { coordinate?: number[] | null }): void {
    this.#note(`click ${JSON.stringify(coordinate ?? null)}`);
  }

  protected override key(
    _context: unknown,
    { text: keys, repeat }: { text: string; repeat?: number | null },
  ): void {
    this.#note(`key ${keys} ${repeat ?? 1}`);
  }
}

describe("the official SDK's toolset on a model of October 2024", () => {
  test.each([
    ['whole replies', false],
    ['streamed replies', true],
  ])('runs with %s', async (_how, streaming) => {
    const { client } = await clientOf();
    const desktop = new Desktop({ confirm: () => true });
    upstream.queue.push(
      reply([text('I look.'), computer('toolu_1', 'screenshot')]),
      reply([computer('toolu_2', 'mouse_move', { coordinate: [5, 6] }), computer('toolu_3', 'left_click')]),
      reply([computer('toolu_4', 'left_click_drag', { coordinate: [50, 60] })]),
      reply([
        computer('toolu_5', 'key', { text: 'Down Down ctrl+S' }),
        computer('toolu_6', 'cursor_position'),
      ]),
      reply([computer('toolu_7', 'middle_click')]),
      reply([text('Done.')]),
    );
    const runner = client.beta.messages.toolRunner({
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 1024,
      tools: [desktop],
      messages: [{ role: 'user', content: 'Go.' }],
      stream: streaming,
    });
    const last = await runner.runUntilDone();
    expect(last.content).toMatchObject([{ type: 'text', text: 'Done.' }]);
    expect(desktop.did).toEqual([
      'screenshot',
      'move 5,6',
      'click null',
      'down',
      'move 50,60',
      'up',
      'key Down 2',
      'key ctrl+shift+s 1',
    ]);

    const [first] = upstream.seen;
    expect(offered()[0]).toEqual(computerTool('computer_20241022', 1024, 768));
    expect(first?.headers['anthropic-beta']).toContain('computer-use-2024-10-22');
    expect(String(first?.body['system'])).toContain('not available: ');
    // One use of the model's is one again, with what each part of it said.
    expect(lastRead(3)).toEqual([
      expect.objectContaining({
        tool_use_id: 'toolu_4',
        content: [
          expect.objectContaining({ text: 'Left mouse button pressed.' }),
          expect.objectContaining({ text: 'Moved the mouse.' }),
          expect.objectContaining({ text: 'Left mouse button released.' }),
        ],
      }),
    ]);
    expect(lastRead(3)[0]).not.toHaveProperty('toolset_name');
    expect(JSON.stringify(lastRead(4)[1])).toContain('X=50,Y=60');
    // The desktop has no middle click and says so in its toolset: the model was told, the client saw nothing of it.
    expect(lastRead(5)).toEqual([
      toolResult('toolu_7', 'there is no action middle_click here', { is_error: true }),
    ]);
  });
});
