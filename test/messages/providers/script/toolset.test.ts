import { parseMessageRequest, type Message } from '../../../../messages/index.ts';
import type { ComputerToolset } from '../../../../messages/api/api-types.ts';
import { converse, lastText, ok, texts, type Run, type Tool } from './conversing.ts';
import { line, recognizing, showing } from './screen.ts';

const toolset: ComputerToolset = { type: 'computer_toolset_20260801' };
const screenText = recognizing({ form: [line('Name', 100, 50), line('Save', 100, 100)] });
const run = (script: string, tool: Tool = ok, tools: readonly ComputerToolset[] = [toolset]): Promise<Run> =>
  converse(script, tool, { tools, betas: [] }, screenText);

/** Toolset, member and input of every use. */
function used({ replies }: Run): unknown[] {
  return replies.flatMap((reply: Message) =>
    reply.content.flatMap((block) =>
      block.type === 'tool_use' ? [[block.toolset_name, block.name, block.input]] : [],
    ),
  );
}

it('names the member of a toolset with a computer step, and leaves the action out of its input', async () => {
  const done = await run(
    '- computer: {action: screenshot}\n- key: ctrl+s\n- type: hello\n- computer: {action: scroll, scroll_direction: down, scroll_amount: 3}',
  );
  expect(used(done)).toEqual([
    ['computer', 'screenshot', {}],
    ['computer', 'key', { text: 'ctrl+s' }],
    ['computer', 'type', { text: 'hello' }],
    ['computer', 'scroll', { scroll_direction: 'down', scroll_amount: 3 }],
  ]);
  expect(lastText(done)).toContain('finished, 4 of 4 steps');
});

it('clicks at the place of a text with one member', async () => {
  const done = await run('- click: Save\n- wait_for: Name', showing('form'));
  expect(used(done)).toEqual([
    ['computer', 'screenshot', {}],
    ['computer', 'left_click', { coordinate: [116, 108] }],
    ['computer', 'screenshot', {}],
  ]);
  expect(lastText(done)).toContain('finished');
});

it('fails a step that needs a member which is switched off, or that names no action', async () => {
  const none = { ...toolset, configs: { zoom: { enabled: false }, screenshot: { enabled: false } } };
  const zoomed = await run('- computer: {action: zoom, region: [0, 0, 9, 9]}', ok, [none]);
  expect(lastText(zoomed)).toContain('the toolset offers no `zoom`');
  expect(lastText(await run('- click: Save', showing('form'), [none]))).toContain(
    'the toolset offers no `screenshot`',
  );
  expect(lastText(await run('- computer: {text: a}'))).toContain('the input names no `action`');
});

it('holds a conversation that the API would take', async () => {
  const { messages, replies } = await run('- together: [{key: Tab}, {type: x}]\n- say: Done.');
  const tools = [toolset];
  expect(() =>
    parseMessageRequest(
      { model: 'script', max_tokens: 100, messages: messages.slice(0, 3), tools },
      { betas: [] },
    ),
  ).not.toThrow();
  expect(texts(replies.at(-1) as Message)).toContain('Done.');
});
