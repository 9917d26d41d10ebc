import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '@steadyhand/contracts';
import type { Message, StreamEvent } from '../../api/api-types.ts';
import { isRecord } from '../../api/is-record.ts';
import type { ModelRequest } from '../../api/request.ts';
import { collectMessage } from '../../stream/collect-message.ts';
import type { ModelProvider } from '../provider.ts';
import { hashOf, plainRequest } from './plain-request.ts';
import type { RecordedLine } from './recording.ts';
import { TurnChain } from './turn-chain.ts';

interface RecordedOptions {
  /** Made when it is not there, with its folder; lines are only added. */
  readonly file: string;
}

/**
 * A provider whose requests and replies are written down, a line of JSON each, for `replay` to answer from. Pictures and
 * documents are kept as hashes; keys are in neither. A reply that failed or that nobody waited for is not written. One
 * that cannot be written is not given: a recording with holes would be found out too late.
 */
export function withRecording(provider: ModelProvider, { file }: RecordedOptions): ModelProvider {
  let chain = new TurnChain();
  let writing: Promise<unknown> = Promise.resolve();

  const write = async (request: ModelRequest, reply: Message): Promise<void> => {
    const plain = plainRequest(request);
    const id = hashOf(plain);
    if (chain.has(id)) return;
    const line: RecordedLine = { type: 'recorded_turn', version: 1, ...chain.add(id, plain, reply) };
    // One after the other: a turn stands behind the one that it goes on from.
    writing = writing.then(() => append(file, `${JSON.stringify(line)}\n`));
    try {
      await writing;
    } catch (error) {
      writing = Promise.resolve();
      // What was not written must not pass for written, nor may a turn go on from it.
      chain = new TurnChain();
      const code = isRecord(error) ? String(error['code']) : String(error);
      throw new ApiError('api_error', `the reply could not be recorded: ${code}`, { retryable: false });
    }
  };

  async function* stream(
    ...[request, options]: Parameters<ModelProvider['stream']>
  ): AsyncGenerator<StreamEvent> {
    const events: StreamEvent[] = [];
    for await (const event of provider.stream(request, options)) {
      events.push(event);
      if (event.type === 'message_stop') await write(request, await collectMessage(events));
      yield event;
    }
  }

  const countTokens = provider.countTokens?.bind(provider);
  return {
    ...provider,
    name: provider.name,
    async reply(request, options) {
      const reply = await provider.reply(request, options);
      await write(request, reply);
      return reply;
    },
    stream,
    ...(countTokens === undefined ? {} : { countTokens }),
  };
}

async function append(file: string, line: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // A conversation is nobody else's business.
  await appendFile(file, line, { mode: 0o600 });
}
