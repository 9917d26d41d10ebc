import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { errorCode, errorText } from '../error-fields.ts';
import type { EgressPolicy } from './policy.ts';
import type { Target } from './target.ts';
import { openTunnel, type UpstreamProxy, upstreamFor } from './upstream.ts';

/** The way is not allowed, by name or by address. */
export class DeniedError extends Error {
  override readonly name = 'DeniedError';
}

/** The way is allowed and does not lead there: no such name, nobody listens, no answer. */
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

export interface DialOptions {
  readonly policy: EgressPolicy;
  /** Where `HTTPS_PROXY` and `NO_PROXY` stand. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Milliseconds for one address. Default 15,000. */
  readonly connectMs?: number;
}

const CONNECT_MS = 15_000;
const MAX_ADDRESSES = 4;

/**
 * A connection to the target, at an address that was looked up once, checked, and then used as it is: a second look-up could
 * give another. Every address must be allowed, or none is taken. Throws DeniedError and UnreachableError.
 */
export async function dial(target: Target, options: DialOptions): Promise<Socket> {
  const refusal = options.policy.nameRefusal(target);
  if (refusal !== null) throw new DeniedError(refusal);
  const upstream = upstreamFor(target, options.env);
  const addresses = await addressesOf(target, options, upstream !== null);
  for (const address of addresses) {
    const refused = options.policy.addressRefusal(target, address);
    if (refused !== null) throw new DeniedError(refused);
  }
  const { connectMs = CONNECT_MS } = options;
  if (upstream !== null) return throughUpstream(target, upstream, connectMs);
  let failure = new UnreachableError('the name has no address');
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await connectTo(address, target.port, connectMs);
    } catch (error) {
      failure = error as UnreachableError;
    }
  }
  throw failure;
}

async function addressesOf(
  { host }: Target,
  { resolve = systemResolve }: DialOptions,
  hasUpstream: boolean,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return await resolve(host);
  } catch (error) {
    // Behind an upstream proxy a machine may know no names: that proxy looks it up, and answers for where it leads.
    if (hasUpstream) return [];
    throw new UnreachableError(`the name does not resolve (${errorCode(error) ?? errorText(error)})`);
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
