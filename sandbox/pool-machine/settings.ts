import { MIN_TOKEN } from '../pool-token.ts';
import type { EgressWay } from '../daemon/egress.ts';
import type { PoolMachineOptions } from './pool-machine.ts';
import type { Listen } from './server.ts';

/** The settings of a pool machine, read from its environment. */
interface PoolMachineSettings {
  /** SANDBOX_DIR: the folder of all state. */
  readonly dir: string;
  /** SANDBOX_ISOLATION: `bubblewrap` (default), `container` (in sandbox/image) or `none`. */
  readonly isolation: PoolMachineOptions['isolation'];
  /** SANDBOX_CAPACITY: how many sandboxes it holds at most, default 1; in `container` there is room for one. */
  readonly capacity: number;
  /** SANDBOX_SPARES: how many sandboxes are made before they are asked for, default 1; at most as many as there are free places. */
  readonly spares: number;
  /** SANDBOX_DRAIN_SECONDS: how long SIGTERM lets its sandboxes go on, default 0; in milliseconds. */
  readonly drainMs: number;
  /**
   * SANDBOX_EGRESS: who makes the sandbox's connections, `server` (default in `container`) or this machine, `direct`.
   */
  readonly egressWay: EgressWay;
  /** SANDBOX_LISTEN: `host:port` (default 0.0.0.0:7077), or a path: a Unix socket there. */
  readonly listen: Listen;
  /** SANDBOX_SERVER: the server to register with; without one the server has to be configured with this address. */
  readonly server: string | null;
  /** SANDBOX_ADDRESS: the host name to register; default: the address that the registration comes from. */
  readonly host: string | null;
}

const ISOLATIONS = ['bubblewrap', 'container', 'none'] as const;

/** Reads the variables. Throws an error that names the variable and what was expected. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): PoolMachineSettings {
  const listen = env['SANDBOX_LISTEN'] ?? '0.0.0.0:7077';
  const isolation = ISOLATIONS.find((known) => known === (env['SANDBOX_ISOLATION'] ?? 'bubblewrap'));
  if (isolation === undefined) throw wrong('SANDBOX_ISOLATION', ISOLATIONS.join(', '));
  const way = env['SANDBOX_EGRESS'] ?? (isolation === 'container' ? 'server' : 'direct');
  if (way !== 'server' && way !== 'direct') throw wrong('SANDBOX_EGRESS', 'server, direct');
  const dir = env['SANDBOX_DIR'];
  if (dir === undefined || dir === '') throw wrong('SANDBOX_DIR', 'the path of a folder');
  const server = env['SANDBOX_SERVER'] ?? '';
  if (server !== '' && !URL.canParse(server)) throw wrong('SANDBOX_SERVER', 'an http or https URL');
  const capacity = wholeNumber(env, 'SANDBOX_CAPACITY', { from: 1, to: 1000, otherwise: 1 });
  if (capacity > 1 && isolation === 'container')
    throw wrong('SANDBOX_CAPACITY', '1 with SANDBOX_ISOLATION=container, where the container is the sandbox');
  return {
    dir,
    isolation,
    capacity,
    spares: wholeNumber(env, 'SANDBOX_SPARES', { from: 0, to: 1000, otherwise: 1 }),
    drainMs: 1000 * wholeNumber(env, 'SANDBOX_DRAIN_SECONDS', { from: 0, to: 2_000_000, otherwise: 0 }),
    egressWay: way,
    listen: listen.startsWith('/') ? { socket: listen } : { ...hostAndPort(listen), token: tokenOf(env) },
    server: server === '' ? null : server,
    host: env['SANDBOX_ADDRESS'] ?? null,
  };
}

function wholeNumber(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: number },
): number {
  const text = env[name] ?? '';
  if (text === '') return otherwise;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= from && value <= to)) throw wrong(name, `a whole number from ${from} to ${to}`);
  return value;
}

function tokenOf(env: Readonly<Record<string, string | undefined>>): string {
  const token = env['SANDBOX_POOL_TOKEN'] ?? '';
  if (token.length < MIN_TOKEN) throw wrong('SANDBOX_POOL_TOKEN', `at least ${MIN_TOKEN} characters`);
  return token;
}

function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw wrong('SANDBOX_LISTEN', 'host:port, or a path');
  return { host, port: Number(port) };
}

function wrong(name: string, expected: string): Error {
  return new Error(`${name}: expected ${expected}`);
}
