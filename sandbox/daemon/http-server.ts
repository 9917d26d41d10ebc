import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { errorText } from '../error-fields.ts';
import type { ActionRequest, DaemonErrorCode } from '../protocol.ts';
import { KeyReusedError } from './action-desk.ts';
import type { Daemon } from './daemon.ts';
import { LedgerFullError } from './ledger.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_KEY_CHARACTERS = 256;

/** The caller's fault, told with what was expected. */
class BadRequestError extends Error {
  override readonly name = 'BadRequestError';
}

/**
 * The daemon's HTTP interface: `POST /actions`, `POST /interrupt {key}`, `GET /health`, `GET /screenshot`, `POST /shutdown`.
 * Failures are `{error: {code, message}}`. A caller that goes away does not stop its action.
 */
export function createDaemonServer(daemon: Daemon): Server {
  const server = createServer((request, response) => {
    route(daemon, request, response).catch((error: unknown) => fail(response, error));
  });
  // An action may take as long as it takes.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 60_000;
  return server;
}

async function route(daemon: Daemon, request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /health':
      return sendJson(response, 200, daemon.health());
    case 'POST /actions':
      return sendJson(response, 200, await daemon.perform(readAction(await readJson(request))));
    case 'POST /interrupt':
      return sendJson(response, 200, { interrupted: daemon.interrupt(readKey(await readJson(request))) });
    case 'GET /screenshot': {
      const png = await daemon.screenshot();
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': png.byteLength }).end(png);
      return;
    }
    case 'POST /shutdown':
      sendJson(response, 202, {});
      // The answer goes out first: the process ends with its shutdown.
      response.once('close', () => void daemon.shutdown());
      return;
    default:
      sendError(response, 404, 'not_found', `no route ${request.method} ${request.url}`);
  }
}

function fail(response: ServerResponse, error: unknown): void {
  const message = errorText(error);
  if (error instanceof BadRequestError) sendError(response, 400, 'invalid_request', message);
  else if (error instanceof KeyReusedError) sendError(response, 409, 'key_reused', message);
  else if (error instanceof LedgerFullError) sendError(response, 507, 'storage_full', message);
  else sendError(response, 503, 'unavailable', message);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

function sendError(response: ServerResponse, status: number, code: DaemonErrorCode, message: string): void {
  sendJson(response, status, { error: { code, message } });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MAX_BODY_BYTES) throw new BadRequestError(`the body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new BadRequestError('the body is not JSON');
  }
}

function readKey(body: unknown): string {
  const key: unknown = typeof body === 'object' && body !== null && 'key' in body ? body.key : undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_CHARACTERS) {
    throw new BadRequestError(`key: expected a string of 1 to ${MAX_KEY_CHARACTERS} characters`);
  }
  return key;
}

function readAction(body: unknown): ActionRequest {
  const key = readKey(body);
  const { tool, input } = body as { readonly tool?: unknown; readonly input?: unknown };
  const { type, name } = (typeof tool === 'object' && tool !== null ? tool : {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof name !== 'string') {
    throw new BadRequestError('tool: expected an object with the strings type and name');
  }
  return { key, tool: tool as ActionRequest['tool'], input };
}
