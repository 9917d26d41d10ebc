import { isIP } from 'node:net';
import type { Networking } from '@steadyhand/contracts';
import { type RefusedKind, refusedKind } from './addresses.ts';
import { type HostRule, hostRule, ruleMatches } from './host-rule.ts';
import { internalMeaning, isMetadataName } from './internal-names.ts';
import { isPrivateAllowed, isPrivateNamed, type PrivateHosts, readPrivateHosts } from './private-hosts.ts';
import type { Target } from './target.ts';

/** The settings of the machine's operator. */
export interface EgressSettings {
  /** Internal hosts that sandboxes may reach; see readPrivateHosts. */
  readonly allow_private: readonly string[];
  /**
   * Mirrors that the machine's own package managers use, as `host:port`, because other services may run beside them.
   */
  readonly mirrors: readonly string[];
  /** Who looks names up behind an upstream proxy. The default is `local`. */
  readonly resolve?: NameResolution;
}

/**
 * With `local` this machine looks names up, and one that it cannot look up is refused. With `upstream` the proxy gets
 * every name, and one that this machine cannot look up is checked only by the name itself.
 */
export type NameResolution = 'local' | 'upstream';

/**
 * The public name of a package registry may lead to these ranges, because a machine's resolver may replace it by a
 * mirror of its network. It may not lead to the machine itself, nor to a cloud's metadata service.
 */
const OF_MIRRORS: ReadonlySet<RefusedKind> = new Set([
  'private',
  'carrier-grade NAT',
  'documentation',
  'benchmarking',
]);

/** The hosts from which the package managers get their packages by default. */
const PUBLIC_REGISTRIES: readonly string[] = [
  // apt: Debian and Ubuntu
  'deb.debian.org',
  'security.debian.org',
  'archive.ubuntu.com',
  '*.archive.ubuntu.com',
  'security.ubuntu.com',
  'ports.ubuntu.com',
  // cargo
  'crates.io',
  'index.crates.io',
  'static.crates.io',
  // gem
  'rubygems.org',
  'index.rubygems.org',
  // go
  'proxy.golang.org',
  'sum.golang.org',
  // npm
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  // pip
  'pypi.org',
  'files.pythonhosted.org',
];

/** Decides where the programs of one sandbox may connect to. */
export class EgressPolicy {
  readonly #networking: Networking;
  readonly #allowed: readonly HostRule[];
  readonly #private: PrivateHosts;
  readonly #registries: readonly HostRule[];
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

  /** Returns why the host may not be reached whatever its address, or null. */
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
   * Returns why a name that this machine cannot look up must not be given to an upstream proxy, or null. Hosts that the
   * operator named and the package registries may be. Where names are left to that proxy, so may all whose name does
   * not point to an internal network.
   */
  unresolvedRefusal(target: Target): string | null {
    if (isPrivateNamed(this.#private, target) || this.#isRegistry(target)) return null;
    if (this.resolution === 'local')
      return 'the name does not resolve on this machine, so what it leads to cannot be checked';
    const meaning = internalMeaning(target.host);
    return meaning === null ? null : `the name does not resolve on this machine, and ${meaning}`;
  }

  /** Returns why a connection to the host must not be made at this address, or null. */
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
