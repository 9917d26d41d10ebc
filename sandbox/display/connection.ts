import { createConnection } from 'node:net';
import x11 from 'x11';
import type { Damage, Fixes, Reply, Screen, XClient, XDisplay, XEvent, XTest } from 'x11';
import { DisplayError } from './errors.ts';

/**
 * One connection to an X server over its Unix socket, in pure JavaScript. Requests become promises that are rejected
 * with DisplayError when the server refuses them or goes away, so nothing waits for a reply that cannot come any more.
 */
export class XConnection {
  readonly x: XClient;
  readonly screen: Screen;
  readonly keycodes: { readonly first: number; readonly last: number };
  readonly damage: Damage;
  readonly fixes: Fixes;
  readonly xtest: XTest;
  readonly #pending = new Set<(error: DisplayError) => void>();
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;
  #settleEnded: () => void = () => undefined;
  #end: DisplayError | undefined;
  #width: number;
  #height: number;

  constructor(display: XDisplay, extensions: { damage: Damage; fixes: Fixes; xtest: XTest }) {
    const screen = firstScreen(display);
    this.ended = new Promise((resolve) => (this.#settleEnded = resolve));
    this.x = display.client;
    this.screen = screen;
    this.keycodes = { first: display.min_keycode, last: display.max_keycode };
    this.damage = extensions.damage;
    this.fixes = extensions.fixes;
    this.xtest = extensions.xtest;
    this.#width = screen.pixel_width;
    this.#height = screen.pixel_height;
    // Nobody waits for an X error of a request without a reply (a window that is gone meanwhile).
    this.x.on('error', (error: Error & { code?: string }) => {
      if (error.code !== undefined)
        this.#lose(new DisplayError('lost', `X connection failed: ${error.message}`));
    });
    this.x.on('end', () => this.#lose(new DisplayError('lost', 'the X server closed the connection')));
    this.x.on('event', (event: XEvent) => {
      if (event.name !== 'ConfigureNotify' || event.wid1 !== screen.root) return;
      this.#width = event.width ?? this.#width;
      this.#height = event.height ?? this.#height;
    });
  }

  get root(): number {
    return this.screen.root;
  }

  /** The current size of the root window in pixels: RandR may change it. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.#width, height: this.#height };
  }

  get alive(): boolean {
    return this.#end === undefined;
  }

  /** Issues one request and waits for its reply. */
  request<T>(name: string, issue: (done: Reply<T>) => void): Promise<T> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise<T>((resolve, reject) => {
      this.#pending.add(reject);
      issue((error, value) => {
        this.#pending.delete(reject);
        if (error == null) resolve(value);
        else reject(new DisplayError('refused', `${name}: ${error.message}`, { cause: error }));
        return true;
      });
    });
  }

  /** Calls `listener` once when the connection ends, unless the returned function is called before. */
  onEnd(listener: (error: DisplayError) => void): () => void {
    if (this.#end !== undefined) listener(this.#end);
    else this.#pending.add(listener);
    return () => void this.#pending.delete(listener);
  }

  /**
   * Makes a round trip: every request so far has then been carried out by the server, and its events have been sent.
   */
  async sync(): Promise<void> {
    await this.request<null>('GetInputFocus', (done) => this.x.sync((error) => void done(error, null)));
  }

  /** Calls `listener` for every event until the returned function is called. */
  onEvent(listener: (event: XEvent) => void): () => void {
    this.x.on('event', listener);
    return () => void this.x.off('event', listener);
  }

  close(): void {
    if (this.#end === undefined) this.x.terminate();
    this.#lose(new DisplayError('closed', 'the display is closed'));
  }

  #lose(error: DisplayError): void {
    if (this.#end !== undefined) return;
    this.#end = error;
    for (const reject of this.#pending) reject(error);
    this.#pending.clear();
    this.#settleEnded();
  }
}

/**
 * Connects to the X server that listens on `socketPath` and initialises the extensions used here. Rejects with DisplayError,
 * also where the server goes away in between.
 */
export function connect(socketPath: string, timeoutMs = 5000): Promise<XConnection> {
  const socket = createConnection(socketPath);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      settle();
      socket.destroy();
      reject(error);
    };
    const unreachable = (reason: string, cause?: Error): void =>
      fail(new DisplayError('unreachable', `no X server on ${socketPath}: ${reason}`, { cause }));
    const timer = setTimeout(() => unreachable(`no answer within ${timeoutMs} ms`), timeoutMs);
    const onError = (error: Error): void => unreachable(error.message, error);
    const onClose = (): void => unreachable('it closed the connection');
    const settle = (): void => {
      clearTimeout(timer);
      client.off('error', onError);
      // What the package still writes to a socket that has failed may fail as well, and must not end this process.
      client.on('error', () => undefined);
      socket.off('close', onClose);
    };
    const client = x11.createClient(
      { stream: socket, display: ':0', auth: { name: '', data: '' } },
      (error: Error | null | undefined, display: XDisplay) => {
        if (error != null) return onError(error);
        initialised(display).then((connection) => {
          settle();
          resolve(connection);
        }, fail);
      },
    );
    // The package does not tell those who wait for a reply that the server has gone.
    client.on('error', onError);
    socket.once('close', onClose);
  });
}

async function initialised(display: XDisplay): Promise<XConnection> {
  const { client } = display;
  forgetAtoms(client);
  widenFromNewestRequest(client);
  client.ChangeWindowAttributes(firstScreen(display).root, {
    eventMask: (client.eventMask['StructureNotify'] ?? 0) | (client.eventMask['SubstructureNotify'] ?? 0),
  });
  const [damage, fixes, xtest] = await Promise.all([
    extension<Damage>('DAMAGE', (done) => client.require('damage', done)),
    extension<Fixes>('XFIXES', (done) => client.require('fixes', done)),
    extension<XTest>('XTEST', (done) => client.require('xtest', done)),
  ]);
  return new XConnection(display, { damage, fixes, xtest });
}

/**
 * The server sometimes sends DAMAGE events with a sequence number that is not this connection's. The package treats the
 * number of each packet as the least for those that follow, and would then find no request for a reply any more. This
 * makes it choose the newest request that a number can mean, whatever came before.
 */
function widenFromNewestRequest(client: XClient): void {
  client._widenSeq = (wire) => client.seq_num - ((client.seq_num - wire) & 0xffff);
}

const LAST_PREDEFINED_ATOM = 68;

/**
 * The package keeps the atoms it has learnt in one table for all connections, but another X server has other atoms.
 * This gives the connection a table of its own with nothing but the predefined atoms.
 */
export function forgetAtoms(client: XClient): void {
  client.atoms = Object.fromEntries(
    Object.entries(client.atoms).filter(([, value]) => value <= LAST_PREDEFINED_ATOM),
  );
}

function extension<T>(name: string, load: (done: Reply<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    load((error, value) => {
      if (error == null) resolve(value);
      else reject(new DisplayError('unsupported', `the X server has no ${name} extension`));
      return true;
    });
  });
}

function firstScreen(display: XDisplay): Screen {
  const [screen] = display.screen;
  if (screen === undefined) throw new DisplayError('unsupported', 'the X server has no screen');
  if (screen.root_depth !== 24 || display.format['24']?.bits_per_pixel !== 32)
    throw new DisplayError(
      'unsupported',
      `root depth ${screen.root_depth}: 24 bits in 32-bit pixels are needed`,
    );
  return screen;
}
