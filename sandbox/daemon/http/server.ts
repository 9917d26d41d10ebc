import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { SandboxError, type SandboxErrorCode } from '@steadyhand/contracts';
import { errorText } from '../../error-fields.ts';
import { DamagedFileError } from '../../record-file.ts';
import { RecordLogDamagedError } from '../ledger/record-log.ts';
import { type DaemonRoutes, type DaemonUpgrades, sendJson } from './exchange.ts';

export interface DaemonInterface {
  readonly routes: DaemonRoutes;
  readonly upgrades: DaemonUpgrades;
}

const STATUS: Readonly<Record<SandboxErrorCode, number>> = {
  invalid_request: 400,
  sandbox_not_found: 404,
  not_found: 404,
  unsupported: 404,
  key_reused: 409,
  conflict: 409,
  too_large: 413,
  window_changed: 409,
  storage_full: 507,
  unavailable: 503,
  no_place: 503,
  lost: 410,
  damaged: 500,
};

/** The daemon's HTTP interface. Failures are `{error: {code, message}}`. */
export function createDaemonServer({ routes, upgrades }: DaemonInterface): Server {
  const table = new Map(Object.entries(routes));
  const streams = new Map(Object.entries(upgrades));
  const server = createServer((request, response) => {
    answer(table, request, response).catch((error: unknown) => fail(response, error));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const upgrade = streams.get(urlOf(request).pathname);
    const refuse = (error: unknown): void => {
      const { code, message } = refusalOf(error);
      const body = JSON.stringify({ error: { code, message } });
      socket.end(
        `HTTP/1.1 ${STATUS[code]} Refused\r\ncontent-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
    };
    if (upgrade === undefined) refuse(new SandboxError('unsupported', `no stream ${request.url}`));
    else
      void Promise.resolve()
        .then(() => upgrade(request, socket, head))
        .catch(refuse);
  });
  // An action's duration is not limited here.
  server.requestTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 60_000;
  return server;
}

async function answer(
  table: ReadonlyMap<string, DaemonRoutes[keyof DaemonRoutes]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = urlOf(request);
  const route = table.get(`${request.method} ${pathname}`);
  if (route === undefined) throw new SandboxError('unsupported', `no route ${request.method} ${pathname}`);
  const body = await route({ request, response, query });
  if (body !== undefined) sendJson(response, 200, body);
}

function urlOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', 'http://daemon');
}

function refusalOf(error: unknown): { readonly code: SandboxErrorCode; readonly message: string } {
  const message = errorText(error);
  if (error instanceof SandboxError) return { code: error.code, message: error.reason };
  if (isDamage(error)) return { code: 'damaged', message };
  return { code: 'unavailable', message };
}

/** Whether an error says that a file of the sandbox is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof RecordLogDamagedError || error instanceof DamagedFileError;
}

function fail(response: ServerResponse, error: unknown): void {
  const { code, message } = refusalOf(error);
  // It is too late for another status; the caller sees that the answer was cut short.
  if (response.headersSent) response.destroy();
  else sendJson(response, STATUS[code], { error: { code, message } });
}
