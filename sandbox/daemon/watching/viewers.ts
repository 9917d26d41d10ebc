import type { Duplex } from 'node:stream';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { SandboxError } from '@steadyhand/contracts';
import { errorText } from '../../error-fields.ts';
import type { ComputerSupervisor } from '../computer/computer-supervisor.ts';
import type { DaemonLog } from '../../daemon-log.ts';
import { openSocket } from '../computer/open-socket.ts';
import { PersonInputs } from './person-inputs.ts';
import { RfbClientStream } from './rfb-client-stream.ts';
import type { Takeovers } from './takeovers.ts';

const MAX_VIEWERS = 16;
/** The VNC server keeps running this long, for a viewer that connects again. */
const LINGER_MS = 3_000;
/** Above this a viewer's further requests wait. It is sent only what it asks for, so this bounds the memory. */
const HIGH_WATER = 1024 * 1024;
/** A viewer that asks and does not read is disconnected above this; one picture of the largest screen is smaller. */
const MAX_WAITING = 256 * 1024 * 1024;

interface ViewersOptions {
  readonly supervisor: Pick<ComputerSupervisor, 'running'>;
  readonly takeovers: Takeovers;
  readonly log: DaemonLog;
}

/**
 * The viewers of the screen, each a byte stream of the RFB protocol. The VNC server runs inside the sandbox while
 * somebody watches. Viewers' messages are read here, outside: the input of a viewer that has not taken over never gets
 * inside.
 */
export class Viewers {
  readonly #options: ViewersOptions;
  #count = 0;
  #lingering: NodeJS.Timeout | undefined;
  /** The newest connection of the takeover, which is the one that acts for it. */
  #controller: symbol | null = null;

  constructor(options: ViewersOptions) {
    this.#options = options;
  }

  /**
   * Connects a new viewer to the VNC server; `takeover` is the id of the takeover that it acts for.
   * @throws SandboxError `conflict` when the takeover has ended, or when too many watch
   */
  async open(takeover: string | null): Promise<(viewer: Duplex) => void> {
    if (takeover !== null && !this.#options.takeovers.holds(takeover))
      throw new SandboxError('conflict', `the takeover ${takeover} has ended`);
    if (this.#count >= MAX_VIEWERS)
      throw new SandboxError('conflict', `${MAX_VIEWERS} people watch this screen already`);
    this.#count += 1;
    clearTimeout(this.#lingering);
    try {
      const screen = await this.#connect();
      return (viewer) => this.#serve(viewer, screen, takeover);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async #connect(): Promise<Socket> {
    const computer = await this.#options.supervisor.running();
    const state = await computer.display.open();
    if ('unavailable' in state)
      throw new SandboxError('unavailable', `this computer has no display: ${state.unavailable}`);
    const { socket: name, reason } = await computer.guest.call('startVnc', {});
    // Only a file name is accepted, because the agent may control what the guest says.
    if (name === null || !/^vnc\d+$/.test(name))
      throw new SandboxError('unavailable', `the screen cannot be watched: ${reason ?? 'no socket'}`);
    const held = openSocket(join(computer.xSocketFolder, name));
    return new Promise((resolve, reject) => {
      const screen = createConnection(held.path);
      screen.once('connect', () => {
        screen.off('error', reject);
        resolve(screen);
      });
      screen.once('error', reject);
      screen.once('close', () => held.close());
    });
  }

  #serve(viewer: Duplex, screen: Socket, takeover: string | null): void {
    const stream = new RfbClientStream();
    const person = new PersonInputs(this.#options.takeovers.current?.record === 'no_keys');
    const self = Symbol('viewer');
    const leave = takeover === null ? null : this.#options.takeovers.join();
    if (takeover !== null) this.#controller = self;
    const acts = (): boolean => this.#controller === self && this.#options.takeovers.holds(takeover);
    const releaseHeld = (): void => {
      for (const bytes of person.releases()) screen.write(bytes);
    };
    const off = this.#options.takeovers.onChange(() => {
      if (!acts()) releaseHeld();
    });
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      off();
      releaseHeld();
      if (this.#controller === self) this.#controller = null;
      leave?.();
      screen.end();
      viewer.destroy();
      this.#leave();
    };

    screen.on('data', (bytes: Buffer) => {
      viewer.write(bytes);
      // The VNC server does not wait: a viewer that does not read must not delay the others.
      if (viewer.writableLength > MAX_WAITING) end();
      else if (viewer.writableLength > HIGH_WATER) viewer.pause();
    });
    viewer.on('drain', () => viewer.resume());
    viewer.on('data', (chunk: Buffer) => {
      try {
        for (const message of stream.push(chunk)) {
          if (message.type === 'drop') continue;
          if (message.type === 'pass') screen.write(message.bytes);
          else if (takeover !== null && acts()) {
            if (this.#options.takeovers.record(takeover, (at) => person.take(message, at)))
              screen.write(message.bytes);
          }
        }
      } catch (error) {
        this.#options.log.error('viewer', { error: errorText(error) });
        end();
      }
    });
    for (const side of [screen, viewer]) {
      side.on('error', end);
      side.once('end', end);
      side.once('close', end);
      // A side that closed while the other was opened emits no event any more.
      if (side.destroyed) end();
    }
  }

  #leave(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#lingering = setTimeout(() => {
      this.#options.supervisor
        .running()
        .then(async (computer) => {
          // Another viewer may have come meanwhile.
          if (this.#count === 0) await computer.guest.call('stopVnc', {});
        })
        .catch(() => undefined);
    }, LINGER_MS).unref();
  }
}
