import { type BlockList, isIP } from 'node:net';
import { blockList } from './addresses.ts';
import { type HostRule, hostRule } from './host-rule.ts';
import type { Target } from './target.ts';

/** Internal hosts that an operator lets sandboxes reach. */
export interface PrivateHosts {
  /** Hosts by name, on any port unless one is given. */
  readonly names: readonly HostRule[];
  /** Hosts by address, whatever name leads there. */
  readonly addresses: BlockList;
}

/**
 * Reads entries such as `mirror.internal`, `*.corp.example`, `build:8080`, `10.1.2.3` and `10.0.0.0/8`. Throws for any
 * other.
 */
export function readPrivateHosts(entries: readonly string[]): PrivateHosts {
  const ranges = entries.filter((entry) => isIP(entry.split('/')[0] ?? '') !== 0);
  const names = entries
    .filter((entry) => !ranges.includes(entry))
    .map((entry) => {
      const rule = hostRule(entry);
      if (rule === null) throw new TypeError(`${entry} is no host name, address or range of addresses`);
      return rule;
    });
  return { names, addresses: blockList(ranges) };
}

/** Whether the operator allowed the target by its name. */
export function isPrivateNamed({ names }: PrivateHosts, target: Target): boolean {
  return names.some(
    ({ host, below, port }) =>
      (port === null || port === target.port) &&
      (below ? target.host.endsWith(`.${host}`) : target.host === host),
  );
}

export function isPrivateAllowed(hosts: PrivateHosts, target: Target, address: string): boolean {
  return (
    isPrivateNamed(hosts, target) || hosts.addresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  );
}
