import type { CustomTool, Message } from '../../../../messages/index.ts';
import { converse, lastText, ok } from './conversing.ts';

const named = (name: string): CustomTool => ({ type: 'custom', name, input_schema: { type: 'object' } });
const TOOLSET = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch'].map(named);

async function used(script: string, tools: readonly object[] = TOOLSET) {
  const run = await converse(script, ok, { tools: tools as typeof TOOLSET, betas: [] });
  const uses = run.replies.flatMap((reply: Message) =>
    reply.content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input]] : [])),
  );
  return { uses, last: lastText(run) };
}

it('uses the agent toolset’s tools in the place of the shell and the editor', async () => {
  const { uses, last } = await used(
    [
      '- bash: ls',
      '- edit: {command: create, path: /a, file_text: x}',
      '- edit: {command: str_replace, path: /a, old_str: x, new_str: y}',
      '- edit: {command: str_replace, path: /a, old_str: y}',
      '- edit: {command: view, path: /a, view_range: [1, 2]}',
      '- edit: {file_path: /a, old_string: p, new_string: q, replace_all: true}',
    ].join('\n'),
  );
  expect(uses).toEqual([
    ['bash', { command: 'ls' }],
    ['write', { file_path: '/a', content: 'x' }],
    ['edit', { file_path: '/a', old_string: 'x', new_string: 'y' }],
    ['edit', { file_path: '/a', old_string: 'y', new_string: '' }],
    ['read', { file_path: '/a', view_range: [1, 2] }],
    ['edit', { file_path: '/a', old_string: 'p', new_string: 'q', replace_all: true }],
  ]);
  expect(last).toContain('finished, 6 of 6 steps');
});

it('has a step for each of its tools', async () => {
  const { uses } = await used(
    '- read: a\n- write: {file_path: a, content: b}\n- glob: "*"\n- grep: {pattern: x, path: y}\n- web_fetch: http://a/',
  );
  expect(uses).toEqual([
    ['read', { file_path: 'a' }],
    ['write', { file_path: 'a', content: 'b' }],
    ['glob', { pattern: '*' }],
    ['grep', { pattern: 'x', path: 'y' }],
    ['web_fetch', { url: 'http://a/' }],
  ]);
  expect((await used('- write: a')).last).toContain('`write` takes the tool');
});

it('leaves a shell and an editor of their own where they are, and fails what neither can do', async () => {
  const both = [...TOOLSET, { type: 'text_editor_20241022', name: 'str_replace_editor' }];
  expect((await used('- edit: {command: view, path: /a}', both)).uses).toEqual([
    ['str_replace_editor', { command: 'view', path: '/a' }],
  ]);
  const insert = '- edit: {command: insert, path: /a, insert_line: 0, new_str: x}';
  expect((await used(insert)).last).toContain('the request offers no `text_editor_...` tool');
  expect((await used('- read: a', [named('bash')])).last).toContain('no tool named `read`');
});
