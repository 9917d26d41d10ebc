import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { errorCode, errorText } from '../error-fields.ts';
import type { EgressPolicy } from './policy.ts';
import type { Target } from './target.ts';
import { openTunnel, type UpstreamProxy, upstreamFor } from './upstream.ts';

/** The connection is not allowed, by name or by address. */
export class DeniedError extends Error {
  override readonly name = 'DeniedError';
}

/** The connection is allowed but fails: there is no such name, nobody listens, or no answer comes. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly timedOut: boolean;
  constructor(message: string, timedOut = false) {
    super(message);
    this.timedOut = timedOut;
  }
}

/** Nobody is there who could make the connection. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
}

export type Resolve = (host: string) => Promise<readonly string[]>;

interface DialOptions {
  readonly policy: EgressPolicy;
  /** The environment with `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The default is the system's resolver. */
  readonly resolve?: Resolve;
  /** Milliseconds for one address. The default is 15,000. */
  readonly connectMs?: number;
}

const CONNECT_MS = 15_000;
const MAX_ADDRESSES = 4;

/**
 * Connects to the target at an address that is looked up once, checked, and then used as it is: a second look-up could
 * return another one. Every address must be allowed, or none is used. An upstream proxy is asked for the checked
 * address too, by a tunnel for plain requests as well, because a proxy rewrites the Host of a request for an address.
 * It gets the name only where the operator leaves names to it, or where the policy allows one that does not resolve
 * here. Throws DeniedError and UnreachableError.
 */
export async function dial(target: Target, options: DialOptions): Promise<Socket> {
  const { policy, connectMs = CONNECT_MS } = options;
  const refusal = policy.nameRefusal(target);
  if (refusal !== null) throw new DeniedError(refusal);
  const upstream = upstreamFor(target, options.env);
  const addresses = await addressesOf(target, options, upstream !== null);
  for (const address of addresses) {
    const refused = policy.addressRefusal(target, address);
    if (refused !== null) throw new DeniedError(refused);
  }
  const isByName = upstream !== null && (addresses.length === 0 || policy.resolution === 'upstream');
  const hosts = isByName ? [target.host] : addresses.slice(0, MAX_ADDRESSES);
  let failure = new UnreachableError('the name has no address');
  for (const host of hosts) {
    try {
      if (upstream === null) return await connectTo(host, target.port, connectMs);
      return await throughUpstream({ host, port: target.port }, upstream, connectMs);
    } catch (error) {
      failure = error as UnreachableError;
    }
  }
  throw failure;
}

/** Returns none for a name that is left to the upstream proxy. */
async function addressesOf(
  target: Target,
  { policy, resolve = systemResolve }: DialOptions,
  hasUpstream: boolean,
): Promise<readonly string[]> {
  if (isIP(target.host) !== 0) return [target.host];
  try {
    return await resolve(target.host);
  } catch (error) {
    const code = errorCode(error) ?? errorText(error);
    if (!hasUpstream) throw new UnreachableError(`the name does not resolve (${code})`);
    const refusal = policy.unresolvedRefusal(target);
    if (refusal === null) return [];
    throw new DeniedError(`${refusal} (${code})`);
  }
}

const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);

async function throughUpstream(target: Target, upstream: UpstreamProxy, ms: number): Promise<Socket> {
  const socket = await connectTo(upstream.host, upstream.port, ms);
  const timer = setTimeout(() => socket.destroy(), ms);
  try {
    await openTunnel(socket, target, upstream);
    return socket;
  } catch (error) {
    socket.destroy();
    throw new UnreachableError(errorText(error));
  } finally {
    clearTimeout(timer);
  }
}

function connectTo(address: string, port: number, ms: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new UnreachableError(`no answer within ${ms / 1000} s`, true));
    }, ms);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(new UnreachableError(`the connection failed (${errorCode(error) ?? errorText(error)})`));
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
  });
}
