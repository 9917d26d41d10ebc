import { type Socket } from 'node:net';
import { normalHost, type Target, targetText } from './target.ts';

/** The proxy through which a machine without a direct network makes its connections. */
export interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_ANSWER = 16 * 1024;

/**
 * Returns the proxy that `HTTPS_PROXY` (or `HTTP_PROXY`, `ALL_PROXY`) names for this target; null where `NO_PROXY`
 * exempts it or nothing is set.
 */
export function upstreamFor(target: Target, env: Environment): UpstreamProxy | null {
  const read = (name: string): string => env[name] || env[name.toLowerCase()] || '';
  const url = read('HTTPS_PROXY') || read('HTTP_PROXY') || read('ALL_PROXY');
  if (url === '' || isExempt(target, read('NO_PROXY'))) return null;
  const full = /^[a-z0-9]+:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(full) || new URL(full).protocol !== 'http:') return null;
  const { hostname, port, username, password } = new URL(full);
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    host: normalHost(hostname) ?? hostname,
    port: port === '' ? 80 : Number(port),
    authorization: username === '' ? null : `Basic ${Buffer.from(pair).toString('base64')}`,
  };
}

/** Reads `NO_PROXY`: `*`, or names (with their subdomains), each with a port or without. */
function isExempt(target: Target, list: string): boolean {
  return list.split(',').some((entry) => {
    const [, name = '', port] = /^\s*\*?\.?([^\s]*?)(?::(\d+))?\s*$/.exec(entry) ?? [];
    if (entry.trim() === '*') return true;
    if (name === '' || (port !== undefined && Number(port) !== target.port)) return false;
    const host = normalHost(name) ?? name;
    return target.host === host || target.host.endsWith(`.${host}`);
  });
}

/** Asks the proxy at the other end of the socket for a tunnel. Rejects with the proxy's answer when it refuses. */
export function openTunnel(socket: Socket, target: Target, proxy: UpstreamProxy): Promise<void> {
  const name = targetText(target);
  const authorization = proxy.authorization === null ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n${authorization}\r\n`);
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const settle = (error?: Error): void => {
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      if (error === undefined) resolve();
      else reject(error);
    };
    const onClose = (): void => settle(new Error('the upstream proxy closed the connection'));
    const onData = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) {
        if (head.length > MAX_ANSWER) settle(new Error('the upstream proxy does not answer as one'));
        return;
      }
      const [, status = ''] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1')) ?? [];
      if (!status.startsWith('2')) {
        settle(new Error(`the upstream proxy answered ${status}`));
        return;
      }
      settle();
      const rest = head.subarray(end + 4);
      if (rest.length > 0) socket.unshift(rest);
    };
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}
