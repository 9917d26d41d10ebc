import { normalHost, type Target } from './target.ts';

/** The hosts that an entry of an allow-list stands for. */
export interface HostRule {
  /** The host in the spelling of Target. */
  readonly host: string;
  /** True for `*.example.com`: all names below the host, but not the host itself. */
  readonly below: boolean;
  /** null means 80 and 443. */
  readonly port: number | null;
}

/**
 * Reads an entry of `allowed_hosts`: `example.com`, `*.example.com` or an address, each with `:port` or without. A
 * scheme before it and a slash after it are ignored. Returns null for anything else.
 */
export function hostRule(text: string): HostRule | null {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  const [, star, name = '', port] = /^(\*\.)?(\[[^\]]+\]|[^:/\s*@?#%\\]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const host = name === '' ? null : normalHost(name);
  const number = port === undefined ? null : Number(port);
  if (host === null || (number !== null && (number < 1 || number > 65_535))) return null;
  return { host, below: star !== undefined, port: number };
}

export function ruleMatches({ host, below, port }: HostRule, target: Target): boolean {
  const portMatches = port === null ? target.port === 80 || target.port === 443 : target.port === port;
  return portMatches && (below ? target.host.endsWith(`.${host}`) : target.host === host);
}
