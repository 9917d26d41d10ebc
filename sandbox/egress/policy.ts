import { isIP } from 'node:net';
import type { Networking } from '../protocol.ts';
import { refusedKind } from './addresses.ts';
import { type HostRule, hostRule, ruleMatches } from './host-rule.ts';
import { PUBLIC_REGISTRIES } from './package-hosts.ts';
import { isPrivateAllowed, type PrivateHosts, readPrivateHosts } from './private-hosts.ts';
import type { Target } from './target.ts';

/** What the machine's operator has a say in. */
export interface EgressSettings {
  /** Internal hosts that sandboxes may reach; see readPrivateHosts. */
  readonly allow_private: readonly string[];
  /** Mirrors that the machine's own package managers use, as `host:port`: other services may run beside them. */
  readonly mirrors: readonly string[];
}

/** Decides where the programs of one sandbox may connect to. */
export class EgressPolicy {
  readonly #networking: Networking;
  readonly #allowed: readonly HostRule[];
  readonly #private: PrivateHosts;

  constructor(networking: Networking, { allow_private, mirrors }: EgressSettings) {
    const limited = networking.type === 'limited';
    const packages = limited && networking.allow_package_managers;
    this.#networking = networking;
    this.#allowed = [
      ...(limited ? networking.allowed_hosts : []),
      ...(packages ? [...PUBLIC_REGISTRIES, ...mirrors] : []),
    ].flatMap((entry) => hostRule(entry) ?? []);
    // The machine's configuration names its mirrors, so they may be internal ones.
    const useful = packages || networking.type === 'unrestricted' ? mirrors : [];
    this.#private = readPrivateHosts([...allow_private, ...useful]);
  }

  /** Why the host may not be reached whatever its address, or null. */
  nameRefusal(target: Target): string | null {
    if (this.#networking.type === 'none') return 'this sandbox has no network';
    if (this.#networking.type === 'limited' && !this.#allowed.some((rule) => ruleMatches(rule, target))) {
      return 'the host and port are not among the allowed ones';
    }
    return isIP(target.host) === 0 ? null : this.addressRefusal(target, target.host);
  }

  /** Why a connection to the host must not be made at this address, or null. */
  addressRefusal(target: Target, address: string): string | null {
    const kind = refusedKind(address);
    if (kind === null || isPrivateAllowed(this.#private, target, address)) return null;
    return isIP(target.host) === 0
      ? `it resolves to ${address}, an address that sandboxes do not reach (${kind})`
      : `sandboxes do not reach such addresses (${kind})`;
  }
}
