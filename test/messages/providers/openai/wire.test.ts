import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { OpenAI } from 'openai';
import { chat, type Completion } from '../../../support/openai-upstream.ts';
import { KEY, useUpstream } from './support.ts';

/** The double itself, held against the official clients: what they read of it is what a test said. */

const upstream = useUpstream();

const SAID: Completion = {
  content: 'Looking at 漢字 👩‍🚀.',
  calls: [
    { id: 'call_a', name: 'bash', arguments: { command: 'echo "a b"' } },
    { id: 'call_b', name: 'computer', arguments: { action: 'left_click', coordinate: [1, 2] } },
  ],
};
const READ = {
  content: SAID.content,
  tool_calls: [
    { id: 'call_a', type: 'function', function: { name: 'bash', arguments: '{"command":"echo \\"a b\\""}' } },
    {
      id: 'call_b',
      type: 'function',
      function: { name: 'computer', arguments: '{"action":"left_click","coordinate":[1,2]}' },
    },
  ],
};
const ASKED = { model: 'local-model', messages: [{ role: 'user' as const, content: 'Look.' }] };

it('is read by the TypeScript client, whole and as a stream', async () => {
  upstream.at.answer = chat(SAID);
  const client = new OpenAI({ baseURL: upstream.at.baseURL, apiKey: KEY, maxRetries: 0 });
  const whole = await client.chat.completions.create(ASKED);
  expect(whole.choices[0]).toMatchObject({ message: READ, finish_reason: 'tool_calls' });
  expect(whole.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 12 });
  const stream = client.chat.completions.stream({ ...ASKED, stream_options: { include_usage: true } });
  const streamed = await stream.finalChatCompletion();
  expect(streamed.choices[0]).toMatchObject({ message: READ, finish_reason: 'tool_calls' });
  expect(streamed.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 12 });
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['local-model']);
});

const python = process.env['STEADYHAND_PYTHON'] ?? 'python3';
const hasClient = spawnSync(python, ['-c', 'import openai']).status === 0;

const PROGRAM = `
import json, sys
from openai import OpenAI
client = OpenAI(base_url=sys.argv[1], api_key='k', max_retries=0)
asked = dict(model='local-model', messages=[{'role': 'user', 'content': 'Look.'}])
whole = client.chat.completions.create(**asked)
with client.chat.completions.stream(**asked, stream_options={'include_usage': True}) as stream:
    for event in stream: pass
    streamed = stream.get_final_completion()
print(json.dumps([c.model_dump() for c in (whole, streamed)]))
`;

// Skipped without Python and its package: point STEADYHAND_PYTHON at an interpreter that has it.
const describeWithPython = hasClient ? describe : describe.skip;

describeWithPython('in Python', () => {
  it('is read by the client, whole and as a stream', async () => {
    upstream.at.answer = chat(SAID);
    const child = spawn(python, ['-c', PROGRAM, upstream.at.baseURL], { stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (texts.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (texts.stderr += text));
    await once(child, 'close');
    expect(texts.stderr).toBe('');
    const read = JSON.parse(texts.stdout) as { choices: object[]; usage: object }[];
    expect(read).toHaveLength(2);
    for (const { choices, usage } of read) {
      expect(choices[0]).toMatchObject({ message: READ, finish_reason: 'tool_calls' });
      expect(usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 12 });
    }
  }, 180_000);
});
