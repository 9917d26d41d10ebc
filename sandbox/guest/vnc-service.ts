import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram } from '../find-program.ts';
import { processEnd } from '../process-end.ts';
import { xSocketPath } from './display-service.ts';
import type { GuestMethods } from '../guest-protocol/wire.ts';

const START_MS = 15_000;
/** `__SO_ACCEPTCON` is the flag of a socket that listens. */
const ACCEPTS = '00010000';

/**
 * The flags of x11vnc:
 * - It listens on a Unix socket and on no port, not in IPv6 either.
 * - It reads no user configuration and allows no commands, no remote control and no file transfer.
 * - The pointer is part of the picture, so that a viewer who only watches sees it move.
 * - Speed comes first: the screen is polled every 20 ms where XDAMAGE says that it changed, without naps.
 */
const FLAGS =
  '-rfbport 0 -rfbportv6 -1 -no6 -noipv6 -shared -forever -nopw -norc -noremote -nocmds -safer -nolookup ' +
  '-noxrecord -nobell -nodpms -nocursorshape -nocursorpos -nowf -noscrollcopyrect -ncache 0 -wait 20 -defer 5 ' +
  '-nonap -sb 0 -repeat -noxinerama -xkb -quiet';

interface Running {
  readonly child: ChildProcess;
  /** Resolves with null when it accepts connections, else with the reason why it does not. */
  readonly ready: Promise<string | null>;
  readonly gone: Promise<void>;
}

/** The VNC server inside a sandbox; it runs while somebody watches. */
export class VncService {
  readonly #number: number;
  /** Resolves when the previous server has ended. */
  #stopping: Promise<void> = Promise.resolve();
  #running: Running | null = null;

  /** @param number the X display's number */
  constructor(number: number) {
    this.#number = number;
  }

  /** Starts the server unless it runs. Resolves when it accepts connections. */
  async start(): Promise<GuestMethods['startVnc']['result']> {
    if (findProgram('x11vnc') === null) return { socket: null, reason: 'x11vnc is not installed' };
    // A server that is being stopped is not the one that is asked for.
    await this.#stopping;
    this.#running ??= this.#launch();
    const reason = await this.#running.ready;
    return reason === null ? { socket: this.#name } : { socket: null, reason };
  }

  stop(): Promise<void> {
    this.#stopping = this.#end();
    return this.#stopping;
  }

  async #end(): Promise<void> {
    if (this.#running === null) return;
    const { child, gone } = this.#running;
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 1_000);
    await gone;
    clearTimeout(killer);
  }

  get #name(): string {
    return `vnc${this.#number}`;
  }

  #launch(): Running {
    const socket = join(dirname(xSocketPath(this.#number)), this.#name);
    rmSync(socket, { force: true });
    const child = spawn(
      'x11vnc',
      ['-display', `:${this.#number}`, '-unixsock', socket, ...FLAGS.split(' ')],
      { stdio: ['ignore', 'ignore', 'pipe'], detached: true, cwd: '/' },
    );
    const log: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => {
      if (log.length < 20) log.push(chunk.toString('utf8'));
    });
    let ended: string | null = null;
    const end = (why: string): void => {
      ended ??= why;
      if (this.#running?.child !== child) return;
      this.#running = null;
      rmSync(socket, { force: true });
    };
    const gone = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        end(error.message);
        resolve();
      });
      void processEnd(child).then(({ code }) => {
        end(`x11vnc ended with code ${code}: ${log.join('').trim().slice(-500)}`);
        resolve();
      });
    });
    const ready = (async () => {
      const deadline = Date.now() + START_MS;
      while (ended === null && !isListening(socket)) {
        if (Date.now() > deadline) {
          child.kill('SIGKILL');
          return `x11vnc was not ready in ${START_MS / 1000} s`;
        }
        await pause(10);
      }
      return ended;
    })();
    return { child, ready, gone };
  }
}

/**
 * Whether a Unix socket accepts connections. Its file appears a moment earlier, so the kernel's table is read (see
 * proc(5)).
 */
function isListening(path: string): boolean {
  return readFileSync('/proc/net/unix', 'latin1')
    .split('\n')
    .some((line) => line.endsWith(` ${path}`) && line.split(/\s+/)[3] === ACCEPTS);
}
