import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { trusted } from './authorities.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy did not make the connection; the message is the proxy's answer. */
export class ProxyRefusedError extends Error {
  override readonly name = 'ProxyRefusedError';
}

const MOST_REASON_BYTES = 4096;
/** How long a proxy may take to send the reason of its refusal. */
const REASON_MS = 5_000;

/**
 * Sends a GET request through the proxy that the environment names for this address, else directly.
 * @throws ProxyRefusedError, or the error of the connection
 */
export async function httpGet(
  url: URL,
  { headers, signal, env }: { headers: Record<string, string>; signal: AbortSignal; env: Environment },
): Promise<IncomingMessage> {
  const proxy = proxyFor(url, env);
  const options: RequestOptions = { method: 'GET', headers, signal };
  if (url.protocol === 'http:') {
    options.agent = false;
    if (proxy === null) return answerTo(httpRequest(url, options));
    const { hostname, port } = proxy;
    // A proxy expects the whole address.
    return answerTo(
      httpRequest({ ...options, hostname, port, path: url.href, headers: { ...headers, host: url.host } }),
    );
  }
  const name = bareHost(url);
  const way =
    proxy === null
      ? { port: Number(url.port === '' ? 443 : url.port) }
      : { socket: await openTunnel(url, proxy, signal) };
  const secureContext = trusted(env);
  const secure = {
    ...way,
    host: name,
    ...(isIP(name) === 0 && { servername: name }),
    ...(secureContext !== undefined && { secureContext }),
  };
  // With an agent, even one that is false, Node would make a connection of its own.
  return answerTo(httpsRequest(url, { ...options, createConnection: () => connectTls(secure) }));
}

/** Listens at once, because a connection may fail before anything that waits for the request goes on. */
function answerTo(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.once('response', resolve);
    asked.end();
  });
}

function openTunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Duplex> {
  const target = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
  return new Promise((resolve, reject) => {
    const { hostname, port } = proxy;
    const asked = httpRequest({
      method: 'CONNECT',
      hostname,
      port,
      path: target,
      headers: { host: target },
      signal,
      agent: false,
    });
    asked.on('error', reject);
    asked.once('connect', (answer, socket, head) => {
      if (answer.statusCode === 200) {
        socket.on('error', () => undefined);
        resolve(socket);
        return;
      }
      void refusalReason(answer, socket, head).then((said) =>
        reject(new ProxyRefusedError(said === '' ? `the proxy answered ${answer.statusCode}` : said)),
      );
    });
    asked.end();
  });
}

/** Reads the reason that a proxy gives for its refusal. The proxy may leave the connection open after it. */
async function refusalReason(answer: IncomingMessage, socket: Duplex, head: Buffer): Promise<string> {
  const announced = Number(answer.headers['content-length'] ?? MOST_REASON_BYTES);
  const wanted = Math.min(announced, MOST_REASON_BYTES);
  const timer = setTimeout(() => socket.destroy(), REASON_MS);
  const pieces: Buffer[] = [head];
  let length = head.length;
  try {
    for await (const piece of length < wanted ? socket : []) {
      pieces.push(piece as Buffer);
      length += (piece as Buffer).length;
      if (length >= wanted) break;
    }
  } catch {
    // What has arrived by now is the reason.
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  return Buffer.concat(pieces).toString('utf8', 0, wanted).trim();
}

/** Returns the proxy that the environment names for an address; null for none. */
export function proxyFor(url: URL, env: Environment): URL | null {
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const proxy = read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === '' || !URL.canParse(proxy) || isExempt(url, read('NO_PROXY'))) return null;
  return new URL(proxy);
}

/** Reads `NO_PROXY`: `*`, or hosts, each with its subdomains, and with a port or without. */
function isExempt(url: URL, list: string): boolean {
  const host = bareHost(url);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', only] = /^\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entry === host) return true;
      return (only === undefined || only === port) && (host === name || host.endsWith(`.${name}`));
    });
}

/** Returns the host without the brackets of an IPv6 address and the dot at the end of a name. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
