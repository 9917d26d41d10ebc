import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Message, MessageParam, ModelProvider, ModelRequest } from '../../../../messages/index.ts';
import { createScriptProvider } from '../../../../messages/providers/script/script-provider.ts';
import { modelRequest, userSays } from '../../support.ts';
import { fromUser } from '../../../support/blocks.ts';

export const options = (id?: string): { signal: AbortSignal; id?: string } => ({
  signal: new AbortController().signal,
  ...(id === undefined ? {} : { id }),
});

/** A folder of the test file's own. */
export function useFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'replay-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

export const SCRIPT = ['- bash: echo hello', '- computer: {action: screenshot}', '- say: Done.'].join('\n');

/** Bytes of a picture; another number is another picture. */
export const picture = (n: number): string => Buffer.from(`picture ${n}`).toString('base64');

/** What a client's tools answer: the shell with a text, the screen with a picture. */
export type Tools = (name: string, turn: number) => Extract<MessageParam['content'], unknown[]>[number][];

export const tools: Tools = (name, turn) =>
  name === 'bash'
    ? [{ type: 'text', text: 'hello' }]
    : [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture(turn) } }];

/** A whole conversation of a client with a model: the requests that it sent and the replies. */
export async function converse(
  provider: ModelProvider,
  change: Partial<ModelRequest> = {},
  run: Tools = tools,
): Promise<{ requests: ModelRequest[]; replies: Message[] }> {
  const messages: MessageParam[] = [userSays(SCRIPT)];
  const requests: ModelRequest[] = [];
  const replies: Message[] = [];
  for (let turn = 0; turn < 9; turn += 1) {
    const request = modelRequest({ messages: [...messages], ...change });
    requests.push(request);
    const reply = await provider.reply(request, options());
    replies.push(reply);
    if (reply.stop_reason !== 'tool_use') break;
    messages.push({ role: 'assistant', content: reply.content as never });
    messages.push(
      fromUser(
        reply.content.flatMap((block) =>
          block.type === 'tool_use'
            ? [
                {
                  type: 'tool_result' as const,
                  tool_use_id: block.id,
                  content: run(block.name, turn) as never,
                },
              ]
            : [],
        ),
      ),
    );
  }
  return { requests, replies };
}

export const script = (): ModelProvider => createScriptProvider();
