import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Running, running } from '../lib/server.ts';

/** What a request asks of the double, by the words of its first message: events and the pause before each, in ms. */
export interface Plan {
  readonly deltas: number;
  readonly pauseMs: number;
}

const frame = (event: { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const START = [
  {
    type: 'message_start',
    message: {
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      model: 'claude-bench',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
]
  .map(frame)
  .join('');
const DELTA = frame({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'some words of a reply ' },
} as { type: string });
const END = [
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 99 },
  },
  { type: 'message_stop' },
]
  .map(frame)
  .join('');

async function answer(response: ServerResponse, { deltas, pauseMs }: Plan): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': 'req_bench' });
  response.write(START);
  for (let sent = 0; sent < deltas && !response.destroyed; sent += 1) {
    if (pauseMs > 0) await wait(pauseMs);
    if (!response.write(DELTA)) await once(response, 'drain');
  }
  response.end(END);
}

/** This program again, as the upstream. */
export async function startUpstreamProcess(): Promise<Running> {
  const script = process.argv[1] ?? '';
  const child = spawn(process.execPath, [script, '--upstream'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return await running(child, /^upstream on (\S+)/);
}

/** An upstream that streams at once what it is asked for; tells its address on standard output. */
export async function serveUpstream(): Promise<void> {
  // Kept longer than the bench pauses: a connection that closes as it is used again would be an error of the double.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // The plan stands where every hop hands it on: in the request's metadata.
      const plan = /"user_id":"(\d+)x(\d+)"/.exec(Buffer.concat(chunks).toString('latin1'));
      answer(response, { deltas: Number(plan?.[1] ?? 1), pauseMs: Number(plan?.[2] ?? 0) }).catch(() =>
        response.destroy(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`upstream on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
