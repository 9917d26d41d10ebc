import { isIP } from 'node:net';

/** Where a program wants to connect: a host in its canonical spelling, and a port. */
export interface Target {
  /**
   * A name in lower case and ASCII (punycode) without a final dot, or an IP address in its canonical form without
   * brackets: `0x7f.1` is `127.0.0.1` here, and `[::FFFF:7F00:1]` is `::ffff:7f00:1`.
   */
  readonly host: string;
  readonly port: number;
}

const MAX_NAME = 253;

/**
 * Reads `host:port`; returns null when it is malformed. Without a port `fallback` is used, and without that the result
 * is null too.
 */
export function readTarget(authority: string, fallback?: number): Target | null {
  // Userinfo, paths, escapes and spaces could make two readers see two hosts.
  if (!/^[^\s/\\@?#%]+$/.test(authority) || authority.length > 2 * MAX_NAME) return null;
  const port = /:(\d{1,5})$/.exec(authority)?.[1];
  if (port === undefined && fallback === undefined) return null;
  const number = port === undefined ? (fallback ?? 0) : Number(port);
  const name = port === undefined ? authority : authority.slice(0, -port.length - 1);
  const host = normalHost(name);
  return host === null || number < 1 || number > 65_535 ? null : { host, port: number };
}

/** Returns the canonical spelling of a name or address, as browsers read it; null when it is neither. */
export function normalHost(text: string): string | null {
  if (isIP(text) === 6) return normalHost(`[${text}]`);
  if (text.includes(':') && !text.startsWith('[')) return null;
  let host: string;
  try {
    host = new URL(`http://${text}/`).hostname;
  } catch {
    return null;
  }
  if (host.startsWith('[')) return host.slice(1, -1);
  const name = host.replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > MAX_NAME || labels.some((label) => label === '' || label.length > 63)) return null;
  return name;
}

export function targetText({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
