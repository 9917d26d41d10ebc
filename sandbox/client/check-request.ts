import { hostRule } from '../egress/host-rule.ts';
import type { Networking } from '../protocol.ts';
import { SandboxRequestError } from './errors.ts';

const MAX_SIDE = 7_680;
const MIN_SIDE = 64;

/** Throws SandboxRequestError. */
export function checkHosts(networking: Networking | undefined): void {
  if (networking?.type !== 'limited') return;
  const wrong = networking.allowed_hosts.find((host) => hostRule(host) === null);
  if (wrong !== undefined)
    throw new SandboxRequestError(`networking.allowed_hosts: ${wrong} is no host name, *.name or address`);
}

/** Throws SandboxRequestError; `name` is the field's. */
export function checkSide(name: string, side: number): void {
  if (!Number.isInteger(side) || side < MIN_SIDE || side > MAX_SIDE) {
    throw new SandboxRequestError(
      `${name}: expected a whole number of pixels from ${MIN_SIDE} to ${MAX_SIDE}`,
    );
  }
}
