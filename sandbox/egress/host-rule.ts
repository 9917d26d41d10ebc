import { normalHost, type Target } from './target.ts';

/** Hosts that an allow-list's entry stands for. */
export interface HostRule {
  /** In the spelling of Target. */
  readonly host: string;
  /** `*.example.com`: all names below the host, not the host itself. */
  readonly below: boolean;
  /** null: 80 and 443. */
  readonly port: number | null;
}

/**
 * Reads an entry of `allowed_hosts`: `example.com`, `*.example.com`, an address, each with `:port` or not. A scheme before it
 * and a slash behind it are passed over. null for anything else.
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
