import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { ApiError } from '@steadyhand/contracts';
import { jsonText, type Sessions } from '../../sessions/index.ts';
import type { Blobs } from '../../store/index.ts';
import { listed } from './listed.ts';
import { listening } from '../support/listening.ts';

/** The smallest HTTP server that the SDK can talk to: it hands requests to `sessions` as they are, and sends what comes back. */
export async function serve(sessions: Sessions, blobs: Blobs): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    answer(sessions, blobs, request, response).catch((error: unknown) => {
      const known = error instanceof ApiError ? error : new ApiError('api_error', String(error));
      response.writeHead(known.status, { 'content-type': 'application/json', 'x-should-retry': 'false' });
      response.end(JSON.stringify(known.body()));
    });
  });
  await listening(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function answer(
  sessions: Sessions,
  blobs: Blobs,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://x');
  const [, , collection = '', id = '', part = '', last = ''] = pathname.split('/');
  const post = request.method === 'POST';
  const body = post ? await json(request).catch(() => undefined) : undefined;
  if (last === 'stream') {
    await stream(sessions, blobs, id, request, response);
    return;
  }
  const result = await (async (): Promise<unknown> => {
    switch (`${request.method} ${collection}${id === '' ? '' : '/id'}${part === '' ? '' : `/${part}`}`) {
      case 'POST agents':
        return sessions.agents.create(body);
      case 'GET agents':
        return sessions.agents.list(query);
      case 'GET agents/id':
        return sessions.agents.retrieve(id, query);
      case 'POST agents/id':
        return sessions.agents.update(id, body);
      case 'GET agents/id/versions':
        return sessions.agents.versions(id, query);
      case 'POST agents/id/archive':
        return sessions.agents.archive(id);
      case 'POST environments':
        return sessions.environments.create(body);
      case 'GET environments':
        return sessions.environments.list(query);
      case 'GET environments/id':
        return sessions.environments.retrieve(id);
      case 'POST environments/id/archive':
        return sessions.environments.archive(id);
      case 'DELETE environments/id':
        return sessions.environments.delete(id);
      case 'POST sessions':
        return sessions.create(body);
      case 'GET sessions':
        return sessions.list(query);
      case 'GET sessions/id':
        return sessions.retrieve(id);
      case 'POST sessions/id':
        return sessions.update(id, body);
      case 'DELETE sessions/id':
        return sessions.delete(id);
      case 'POST sessions/id/archive':
        return sessions.archive(id);
      case 'POST sessions/id/events':
        return sessions.events.send(id, body);
      case 'GET sessions/id/events':
        return listed(sessions, id, query.toString());
      default:
        throw new ApiError('not_found_error', pathname);
    }
  })();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(result));
}

async function stream(
  sessions: Sessions,
  blobs: Blobs,
  session: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const lastEventId = request.headers['last-event-id'];
  const place = await sessions.events.place(
    session,
    typeof lastEventId === 'string' ? lastEventId : undefined,
  );
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for await (const { events } of sessions.events.stream(session, place, gone.signal)) {
    for (const { type, id, json } of events) {
      response.write(`event: ${type}\nid: ${id}\ndata: `);
      for await (const text of jsonText(json, blobs)) response.write(text);
      response.write('\n\n');
    }
  }
  response.end();
}
