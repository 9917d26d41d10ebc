import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Handler = (request: SeenRequest, response: ServerResponse) => void;

/** An upstream on a loopback socket that says what the test makes it say. */
export interface UpstreamDouble {
  readonly baseURL: string;
  readonly seen: SeenRequest[];
  /** How many connections a client cut before it was answered. */
  readonly cut: () => number;
  answer: Handler;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Handler {
  return (_request, response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': 'req_upstream',
      ...headers,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export function errorBody(type: string, message: string): object {
  return { type: 'error', error: { type, message }, request_id: 'req_upstream' };
}

export async function startUpstream(): Promise<UpstreamDouble> {
  const seen: SeenRequest[] = [];
  let cut = 0;
  const double: { answer: Handler } = { answer: json(200, {}) };
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) cut += 1;
    });
    void bodyOf(request).then((body) => {
      const entry = { url: request.url ?? '', headers: request.headers, body };
      seen.push(entry);
      double.answer(entry, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(double, {
    baseURL: `http://127.0.0.1:${port}`,
    seen,
    cut: () => cut,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
