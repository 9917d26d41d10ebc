import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import {
  message,
  reply,
  startUpstream,
  text,
  toolUse,
  type AnthropicUpstream,
  type Block,
} from '../support/anthropic-upstream.ts';
import { chat, startOpenAiUpstream, type OpenAiUpstream } from '../support/openai-upstream.ts';
import { Product } from '../support/product.ts';
import { imagesOf, resultsOf, runLoop, type LoopOptions } from './reference-loop.ts';
import { posted } from '../support/posted.ts';

/**
 * A loop that was written for October 2024 (computer_20241022 and its two siblings, `computer-use-2024-10-22`) drives a real
 * sandbox through the product: with the script provider, with an OpenAI-compatible server behind it, and with a model of
 * today's that knows the toolset of 2026 alone.
 */

const missing = ['Xvfb', 'openbox', 'xdotool'].filter((name) => !fs.existsSync(`/usr/bin/${name}`));
const describeOnDesktop = missing.length === 0 ? describe : describe.skip;

let anthropic: AnthropicUpstream;
let openai: OpenAiUpstream;
let product: Product;
let sandbox: string;

type Turns = Awaited<ReturnType<typeof runLoop>>;
type Result = Anthropic.Beta.Messages.BetaToolResultBlockParam;

const loop = (
  options: Pick<LoopOptions, 'model' | 'task' | 'caching' | 'onlyNewestImages'>,
): Promise<Turns> =>
  runLoop({
    client: new Anthropic({ baseURL: product.url, apiKey: 'unused', maxRetries: 4 }),
    url: product.url,
    sandbox,
    ...options,
  });

const textOf = ({ content }: Result): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((part) => ('text' in part ? part.text : '')).join('');

const uses = (turns: Turns): unknown[] =>
  turns.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input]] : []))
      : [],
  );

const lastWords = (turns: Turns): string => JSON.stringify(turns.at(-1)?.content);

describeOnDesktop('a loop of October 2024 (needs Xvfb, openbox and xdotool)', () => {
  beforeAll(async () => {
    anthropic = await startUpstream();
    openai = await startOpenAiUpstream();
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'reference-loop-'));
    const table = path.join(dataDir, 'providers.json');
    fs.writeFileSync(
      table,
      JSON.stringify({
        providers: {
          today: { type: 'anthropic', api_key: 'sk-today-upstream', base_url: anthropic.baseURL },
          local: { type: 'openai-compatible', base_url: openai.baseURL },
        },
        models: [
          {
            model: 'claude-3-5-sonnet-20241022',
            upstream_model: 'claude-opus-5',
            tools: 'toolset',
            provider: 'today',
          },
          { model: 'local-model', provider: 'local' },
        ],
      }),
      { mode: 0o600 },
    );
    product = new Product({ PROVIDERS: table }, dataDir);
    await product.start();
  }, 120_000);

  beforeEach(async () => {
    const response = await fetch(
      `${product.url}/v1/sandboxes`,
      posted({ display: { width: 1024, height: 768 } }),
    );
    ({ id: sandbox } = (await response.json()) as { id: string });
  });
  afterEach(async () => {
    await fetch(`${product.url}/v1/sandboxes/${sandbox}`, { method: 'DELETE' });
  });

  afterAll(async () => {
    await product.dispose();
    await anthropic.close();
    await openai.close();
  }, 120_000);

  it('with the script provider, keeping the three newest pictures', async () => {
    const turns = await loop({
      model: 'script',
      onlyNewestImages: 3,
      task: `
- bash: echo hello > note.txt
- edit: {command: str_replace, path: /home/agent/note.txt, old_str: hello, new_str: good morning}
- computer: {action: mouse_move, coordinate: [300, 200]}
- computer: {action: left_click}
- computer: {action: cursor_position}
- computer: {action: screenshot}
- computer: {action: mouse_move, coordinate: [310, 210]}
- computer: {action: screenshot}
- computer: {action: right_click}
- computer: {action: screenshot}
- bash: cat note.txt
- expect: good morning
- say: The note is written.
`,
    });
    expect(resultsOf(turns).filter(({ is_error }) => is_error === true)).toEqual([]);
    expect(resultsOf(turns).map(textOf)).toContain('X=300,Y=200');
    expect(lastWords(turns)).toContain('The note is written.');
    // Seven pictures were taken; the oldest three went together.
    expect(resultsOf(turns).flatMap(imagesOf).length).toBeLessThanOrEqual(5);
    expect(resultsOf(turns).flatMap(imagesOf).length).toBeGreaterThanOrEqual(3);
  }, 120_000);

  it('with an OpenAI-compatible server: the tools are functions there', async () => {
    openai.reset();
    const call = (id: string, name: string, given: object): unknown =>
      openai.queue.push(chat({ calls: [{ id, name, arguments: given }] }));
    call('call_1', 'computer', { action: 'screenshot' });
    call('call_2', 'computer', { action: 'mouse_move', coordinate: [120, 340] });
    call('call_3', 'computer', { action: 'cursor_position' });
    call('call_4', 'str_replace_editor', {
      command: 'create',
      path: '/home/agent/a.txt',
      file_text: 'made by a local model',
    });
    openai.queue.push(
      chat({
        content: 'Both at once.',
        calls: [
          { id: 'call_5', name: 'bash', arguments: { command: 'cat a.txt' } },
          { id: 'call_6', name: 'bash', arguments: { command: 'echo $((6 * 7))' } },
        ],
      }),
      chat({ content: 'The file is written.' }),
    );
    const turns = await loop({ model: 'local-model', task: 'Write a file.', onlyNewestImages: 3 });
    expect(resultsOf(turns).map(({ is_error }) => is_error)).toEqual(Array.from({ length: 6 }, () => false));
    const said = resultsOf(turns).map(textOf);
    expect([said[2], said[4], said[5]]).toEqual(['X=120,Y=340', 'made by a local model', '42']);
    expect(lastWords(turns)).toContain('The file is written.');

    const first = openai.seen[0]?.body;
    const offered = (first?.['tools'] as { function: { name: string } }[] | undefined)?.map(
      (tool) => tool.function.name,
    );
    expect(offered).toEqual(['computer', 'bash', 'str_replace_editor']);
    // The screenshot reached the local model as a picture.
    expect(JSON.stringify(openai.seen[1]?.body['messages'])).toContain('data:image/png;base64,');
  }, 120_000);

  it('with a model of today’s: it clicks at places, the loop moves first', async () => {
    anthropic.reset();
    const member = (id: string, name: string, input: object): Block => ({
      ...toolUse(id, name, input),
      toolset_name: 'computer',
    });
    const turn = (...content: Block[]): unknown => anthropic.queue.push(reply(message(content)));
    turn(text('I look.'), member('toolu_1', 'screenshot', {}));
    turn(member('toolu_2', 'left_click', { coordinate: [200, 150] }));
    turn(member('toolu_3', 'cursor_position', {}));
    turn(toolUse('toolu_4', 'bash', { command: 'echo hello > b.txt' }));
    turn(
      toolUse('toolu_5', 'str_replace_based_edit_tool', {
        command: 'insert',
        path: '/home/agent/b.txt',
        insert_line: 1,
        insert_text: 'from today\n',
      }),
    );
    turn(toolUse('toolu_6', 'bash', { command: 'cat b.txt' }));
    turn(text('Done.'));
    const turns = await loop({
      model: 'claude-3-5-sonnet-20241022',
      task: 'Click and write.',
      caching: true,
    });

    expect(uses(turns)).toEqual([
      ['computer', { action: 'screenshot' }],
      ['computer', { action: 'mouse_move', coordinate: [200, 150] }],
      ['computer', { action: 'left_click' }],
      ['computer', { action: 'cursor_position' }],
      ['bash', { command: 'echo hello > b.txt' }],
      [
        'str_replace_editor',
        { command: 'insert', path: '/home/agent/b.txt', insert_line: 1, new_str: 'from today\n' },
      ],
      ['bash', { command: 'cat b.txt' }],
    ]);
    expect(resultsOf(turns).filter(({ is_error }) => is_error === true)).toEqual([]);
    const said = resultsOf(turns).map(textOf);
    expect([said[3], said[6]]).toEqual([
      'X=200,Y=150',
      expect.stringContaining('hello\nfrom today') as string,
    ]);
    expect(lastWords(turns)).toContain('Done.');

    const [first, second, third] = anthropic.seen;
    const types = (first?.body['tools'] as { type: string }[] | undefined)?.map(({ type }) => type);
    expect(types?.toSorted()).toEqual(['bash_20250124', 'computer_toolset_20260801', 'text_editor_20250728']);
    expect(first?.body['model']).toBe('claude-opus-5');
    // What the model is shown of itself is what it wrote.
    expect(JSON.stringify(second?.body['messages'])).toContain('"toolset_name":"computer"');
    expect(JSON.stringify(third?.body['messages'])).toContain('"name":"left_click"');
    expect(JSON.stringify(third?.body['messages'])).not.toContain('mouse_move');
  }, 120_000);
});
