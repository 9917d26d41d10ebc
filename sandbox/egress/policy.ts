import { isIP } from 'node:net';
import type { Networking } from '@steadyhand/contracts';
import { type RefusedKind, refusedKind } from './addresses.ts';
import { type HostRule, hostRule, ruleMatches } from './host-rule.ts';
import { PUBLIC_REGISTRIES } from './public-registries.ts';
import { internalMeaning, isMetadataName } from './internal-names.ts';
import { isPrivateAllowed, isPrivateNamed, type PrivateHosts, readPrivateHosts } from './private-hosts.ts';
import type { Target } from './target.ts';

/** What the machine's operator has a say in. */
export interface EgressSettings {
  /** Internal hosts that sandboxes may reach; see readPrivateHosts. */
  readonly allow_private: readonly string[];
  /** Mirrors that the machine's own package managers use, as `host:port`: other services may run beside them. */
  readonly mirrors: readonly string[];
  /** Who looks names up behind an upstream proxy. Default: `local`. */
  readonly resolve?: NameResolution;
}

/**
 * `local`: this machine, and a name that it cannot look up is refused. `upstream`: the proxy is given every name, and what this
 * machine cannot look up is unchecked but for what the name itself says.
 */
export type NameResolution = 'local' | 'upstream';

/**
 * Where the public name of a package registry may lead: a machine's resolver may stand a mirror of its network in for it. Not
 * to the machine itself, nor to what a cloud serves its machines.
 */
const OF_MIRRORS: ReadonlySet<RefusedKind> = new Set([
  'private',
  'carrier-grade NAT',
  'documentation',
  'benchmarking',
]);

/** Decides where the programs of one sandbox may connect to. */
export class EgressPolicy {
  readonly #networking: Networking;
  readonly #allowed: readonly HostRule[];
  readonly #private: PrivateHosts;
  readonly #registries: readonly HostRule[];
  /** Who looks names up. */
  readonly resolution: NameResolution;

  constructor(
    networking: Networking,
    { allow_private, mirrors, resolve: resolution = 'local' }: EgressSettings,
  ) {
    const limited = networking.type === 'limited';
    const packages = limited && networking.allow_package_managers;
    this.#networking = networking;
    this.#allowed = [
      ...(limited ? networking.allowed_hosts : []),
      ...(packages ? [...PUBLIC_REGISTRIES, ...mirrors] : []),
    ].flatMap((entry) => hostRule(entry) ?? []);
    // The machine's configuration names its mirrors, so they may be internal ones.
    const useful = packages || networking.type === 'unrestricted';
    this.#private = readPrivateHosts([...allow_private, ...(useful ? mirrors : [])]);
    this.#registries = (useful ? PUBLIC_REGISTRIES : []).flatMap((entry) => hostRule(entry) ?? []);
    this.resolution = resolution;
  }

  /** Why the host may not be reached whatever its address, or null. */
  nameRefusal(target: Target): string | null {
    if (this.#networking.type === 'none') return 'this sandbox has no network';
    if (this.#networking.type === 'limited' && !this.#allowed.some((rule) => ruleMatches(rule, target))) {
      return 'the host and port are not among the allowed ones';
    }
    if (isIP(target.host) !== 0) return this.addressRefusal(target, target.host);
    return isMetadataName(target.host) && !isPrivateNamed(this.#private, target)
      ? 'clouds tell machines their credentials there'
      : null;
  }

  /**
   * Why a name that this machine cannot look up must not be given to an upstream proxy, or null: hosts that the operator named
   * and the package registries may, and where names are left to that proxy, all that do not lead inside by what they say.
   */
  unresolvedRefusal(target: Target): string | null {
    if (isPrivateNamed(this.#private, target) || this.#isRegistry(target)) return null;
    if (this.resolution === 'local')
      return 'the name does not resolve on this machine, so what it leads to cannot be checked';
    const meaning = internalMeaning(target.host);
    return meaning === null ? null : `the name does not resolve on this machine, and ${meaning}`;
  }

  /** Why a connection to the host must not be made at this address, or null. */
  addressRefusal(target: Target, address: string): string | null {
    const kind = refusedKind(address);
    if (kind === null || isPrivateAllowed(this.#private, target, address)) return null;
    if (OF_MIRRORS.has(kind) && this.#isRegistry(target)) return null;
    return isIP(target.host) === 0
      ? `it resolves to ${address}, an address that sandboxes do not reach (${kind})`
      : `sandboxes do not reach such addresses (${kind})`;
  }

  #isRegistry(target: Target): boolean {
    return this.#registries.some((rule) => ruleMatches(rule, target));
  }
}
