import type { ActiveWindow, DisplaySize } from '@steadyhand/contracts';
import type { Guest } from '../guest-protocol/guest.ts';
import { activeWindow } from './properties.ts';
import { ScreenCapture, loadSharp, type CaptureOptions } from './capture.ts';
import { Clipboard } from './clipboard.ts';
import { connect, type XConnection } from './connection.ts';
import { desktopShown } from './desktop-shown.ts';
import { DisplayError } from './errors.ts';
import { ScreenFrames } from './screen-frames.ts';
import { Keyboard } from './keyboard.ts';
import { Keymap } from './keymap.ts';
import { Mouse } from './mouse.ts';
import { settle, type Settled } from './settle.ts';
import type { SettleTimes } from './settle-detector.ts';

/**
 * A desktop program answers a click within 50 ms or not at all visibly. Two frames of one answer are 17 ms apart, and
 * 40 ms bridge them on a loaded machine. See bench/click for what this costs.
 */
const SETTLE_TIMES: SettleTimes = {
  firstMs: 50,
  quietMs: 40,
  repeatMs: 250,
  answerMs: 1000,
  maxMs: 2000,
};

/** A sandbox's screen, pointer and keyboard. Failures of the X server are DisplayError. */
export interface Display {
  /** The current size of the screen in pixels. */
  readonly size: DisplaySize;
  readonly mouse: Mouse;
  readonly keyboard: Keyboard;
  readonly clipboard: Clipboard;
  /** Returns PNG bytes of the screen without starting a process. Captures wait for each other. */
  capture(options?: CaptureOptions): Promise<Uint8Array>;
  /** Follows the screen's changes until the returned object is closed. */
  frames(): Promise<ScreenFrames>;
  /** Waits until the screen has come to rest. `times` overrides SETTLE_TIMES field by field. */
  settle(times?: Partial<SettleTimes>, signal?: AbortSignal): Promise<Settled>;
  /** Returns the window that has the keyboard, or null. */
  activeWindow(): Promise<ActiveWindow | null>;
  /** Resolves when the panel is on the screen, or when it does not appear within ten seconds. */
  desktopShown(): Promise<void>;
  /** Resolves when the first connection has ended: by `close()`, or because the server went away. */
  readonly closed: Promise<void>;
  close(): void;
}

interface DisplayOptions {
  /** X's Unix socket as this process sees it, e.g. `/run/user/1000/sbx/X11-unix/X0`. */
  readonly socketPath: string;
  /** The size the X server was started with; a server with another size is refused. */
  readonly size: DisplaySize;
  /** xdotool runs in this guest, whose environment names the same X server by DISPLAY. */
  readonly guest: Guest;
  /** Milliseconds to wait until the server accepts a connection. The default is 5,000. */
  readonly connectTimeoutMs?: number;
}

/** A model takes longer to ask for the first picture. */
const SHARP_AFTER_MS = 1_000;

/**
 * Connects to the X server. When the connection is lost, the call under way fails with DisplayError `lost` and the next
 * one connects anew.
 *
 * @example const display = await openDisplay({ socketPath, size, guest });
 */
export async function openDisplay(options: DisplayOptions): Promise<Display> {
  const connections = new DisplayConnection(options);
  const { connection } = await connections.open();
  const { width, height } = connection.size;
  if (width !== options.size.width || height !== options.size.height) {
    connections.close();
    throw new DisplayError(
      'unsupported',
      `the X screen has ${width}x${height} pixels, not ${options.size.width}x${options.size.height}`,
    );
  }
  // So that the first picture does not wait for the library, and the start of the computer does not, either. A failure shows at
  // the first picture.
  setTimeout(() => void loadSharp().catch(() => undefined), SHARP_AFTER_MS).unref();
  const screen = new ScreenCapture();
  return {
    get size() {
      return connections.size;
    },
    mouse: new Mouse(async () => (await connections.open()).connection),
    keyboard: new Keyboard(options.guest, () => connections.open()),
    clipboard: new Clipboard(async () => (await connections.open()).connection),
    capture: async (capture) => screen.capture((await connections.open()).connection, capture),
    frames: async () => new ScreenFrames((await connections.open()).connection),
    settle: async (times, signal) =>
      settle((await connections.open()).connection, { ...SETTLE_TIMES, ...times }, signal),
    activeWindow: async () => activeWindow((await connections.open()).connection),
    desktopShown: async () => desktopShown((await connections.open()).connection),
    closed: connection.ended,
    close: () => connections.close(),
  };
}

interface Opened {
  readonly connection: XConnection;
  readonly keymap: Keymap;
}

/** Keeps the connection in use and makes it anew when it was lost. */
class DisplayConnection {
  readonly #options: DisplayOptions;
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #size: DisplaySize;
  #closed = false;

  constructor(options: DisplayOptions) {
    this.#options = options;
    this.#size = options.size;
  }

  get size(): DisplaySize {
    if (this.#opened?.connection.alive === true) this.#size = this.#opened.connection.size;
    return this.#size;
  }

  async open(): Promise<Opened> {
    if (this.#closed) throw new DisplayError('closed', 'the display is closed');
    if (this.#opened?.connection.alive === true) return this.#opened;
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  close(): void {
    this.#closed = true;
    this.#opened?.connection.close();
  }

  async #connect(): Promise<Opened> {
    const connection = await connect(this.#options.socketPath, this.#options.connectTimeoutMs);
    if (this.#closed) {
      connection.close();
      throw new DisplayError('closed', 'the display is closed');
    }
    this.#opened = { connection, keymap: await Keymap.read(connection) };
    return this.#opened;
  }
}
