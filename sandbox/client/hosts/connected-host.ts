import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import type { DaemonHealth } from '../../daemon-health.ts';
import type { DaemonConnection } from '../connection/daemon-connection.ts';
import type { SandboxLink } from '../connection/link.ts';
import type { SandboxHost } from './host.ts';
import type { MachineWait } from './machines.ts';

/** How long a caller waits for a start that another one began. */
const JOINED_MS = 45_000;

/** A daemon that a host is connected to. */
export interface Connected {
  readonly connection: DaemonConnection;
}

/** What all hosts do alike: they keep one connection to each daemon, and start a daemon once at a time. */
export abstract class ConnectedHost<Known extends Connected> implements SandboxHost {
  readonly #known = new Map<string, Known>();
  readonly #ensuring = new Map<string, Promise<DaemonHealth>>();
  /** What is said when a daemon has gone right after its start. */
  protected abstract readonly goneText: string;
  /** Whether a connection leads to the right daemon also while a start is under way. */
  protected abstract readonly keptWhileStarting: boolean;

  abstract look(id: string): ReturnType<SandboxHost['look']>;
  abstract running(id: string): Promise<SandboxLink | null>;
  abstract end(id: string): Promise<void>;
  /** Finds the daemon, or starts it. */
  protected abstract start(id: string, wait?: MachineWait): Promise<DaemonHealth>;

  async connect(id: string): Promise<DaemonConnection> {
    const known = this.#known.get(id);
    if (known !== undefined && (this.keptWhileStarting || !this.isStarting(id))) return known.connection;
    await this.ensure(id);
    const found = this.#known.get(id);
    if (found === undefined) throw new SandboxError('unavailable', this.goneText, { sandbox: id });
    return found.connection;
  }

  /** Drops the connection, if it is still this one; the next call looks for the daemon again. */
  forget(id: string, link?: SandboxLink): void {
    const known = this.#known.get(id);
    if (known === undefined || (link !== undefined && known.connection !== link)) return;
    this.#known.delete(id);
    this.disconnect(known);
  }

  ensure(id: string, wait?: MachineWait): Promise<DaemonHealth> {
    const under = this.#ensuring.get(id);
    // Who waits for longer, or for something else, does not fail with who came first.
    if (under !== undefined && wait !== undefined) return under.catch(() => this.ensure(id, wait));
    if (under !== undefined) return soon(under, id);
    const ensuring = this.start(id, wait).finally(() => this.#ensuring.delete(id));
    this.#ensuring.set(id, ensuring);
    return ensuring;
  }

  close(): void {
    for (const id of this.#known.keys()) this.forget(id);
  }

  protected isStarting(id: string): boolean {
    return this.#ensuring.has(id);
  }

  protected known(id: string): Known | undefined {
    return this.#known.get(id);
  }

  protected keep(id: string, known: Known): void {
    this.#known.set(id, known);
  }

  protected disconnect({ connection }: Known): void {
    connection.close();
  }
}

/** The result of a start that another caller began, and for which that one may wait for long. */
async function soon(under: Promise<DaemonHealth>, id: string): Promise<DaemonHealth> {
  const ended = new AbortController();
  const late = pause(JOINED_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new SandboxError('unavailable', 'it is being started', { sandbox: id });
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([under, late]);
  } finally {
    ended.abort();
  }
}
