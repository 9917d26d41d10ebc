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
  /** The file, which is made with its folder where it is missing. Lines are only added. */
  readonly file: string;
}

/**
 * Records a provider's requests and replies for `replay`, one line of JSON for each turn. Pictures and documents are
 * kept as hashes. A reply that failed or was abandoned is not recorded. A reply that cannot be recorded fails, since a
 * gap in a recording would be noticed too late.
 */
export function withRecording(provider: ModelProvider, { file }: RecordedOptions): ModelProvider {
  let chain = new TurnChain();
  let writing: Promise<unknown> = Promise.resolve();

  const write = async (request: ModelRequest, reply: Message): Promise<void> => {
    const plain = plainRequest(request);
    const id = hashOf(plain);
    if (chain.has(id)) return;
    const line: RecordedLine = { type: 'recorded_turn', version: 1, ...chain.add(id, plain, reply) };
    // Lines are written one after the other, since a turn must follow the one that it continues.
    writing = writing.then(() => append(file, `${JSON.stringify(line)}\n`));
    try {
      await writing;
    } catch (error) {
      writing = Promise.resolve();
      // The turn is not in the file, so no later turn may refer to it.
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
  // Only the server's user may read a conversation.
  await appendFile(file, line, { mode: 0o600 });
}
