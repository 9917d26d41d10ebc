import { type Networking } from '@steadyhand/contracts';
import { invalidRequest } from '../invalid-request.ts';
import { hostRule } from '../egress/host-rule.ts';

const MAX_SIDE = 7_680;
const MIN_SIDE = 64;

/** Checks the host names of a request. Throws SandboxError `invalid_request`. */
export function checkHosts(networking: Networking | undefined): void {
  if (networking?.type !== 'limited') return;
  const wrong = networking.allowed_hosts.find((host) => hostRule(host) === null);
  if (wrong !== undefined)
    throw invalidRequest(`networking.allowed_hosts: ${wrong} is no host name, *.name or address`);
}

/** Checks a display's width or height. Throws SandboxError `invalid_request`, which gives the field's name. */
export function checkSide(name: string, side: number): void {
  if (!Number.isInteger(side) || side < MIN_SIDE || side > MAX_SIDE) {
    throw invalidRequest(`${name}: expected a whole number of pixels from ${MIN_SIDE} to ${MAX_SIDE}`);
  }
}
