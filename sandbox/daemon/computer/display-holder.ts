import { join } from 'node:path';
import type { DisplaySize } from '@steadyhand/contracts';
import { type Display, openDisplay } from '../../display/display.ts';
import { errorText } from '../../error-fields.ts';
import type { GuestClient } from './guest-client.ts';
import { openSocket } from './open-socket.ts';

export type DisplayState = { readonly display: Display } | { readonly unavailable: string };

interface DisplayOptions {
  readonly guest: GuestClient;
  readonly size: DisplaySize;
  readonly socketFolder: string;
}

/** The X display of one computer, which is started again when the agent has ended its X server. */
export class DisplayHolder {
  readonly #options: DisplayOptions;
  #state: Promise<DisplayState> | null = null;
  #known: DisplayState = { unavailable: 'starting' };
  #lost = false;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  /** Starts the X server when it does not run. Resolves with the reason when there is no display. */
  open(): Promise<DisplayState> {
    if (this.#state !== null) return this.#state;
    this.#state = this.#start()
      .catch((error: unknown): DisplayState => {
        // The next call tries again, because it need not fail the same way.
        this.#state = null;
        return { unavailable: errorText(error) };
      })
      .then((state) => (this.#known = state));
    return this.#state;
  }

  /** Whether an X server, and every window with it, has ended since the last call. */
  takeLoss(): boolean {
    const lost = this.#lost;
    this.#lost = false;
    return lost;
  }

  /** The last known state. Starts nothing. */
  get state(): DisplayState {
    return this.#known;
  }

  async #start(): Promise<DisplayState> {
    const { guest, size, socketFolder } = this.#options;
    const started = await guest.call('startDisplay', size);
    if (started.number === null) {
      const why = started.reason ?? `${started.missing.join(' and ')} not installed`;
      return { unavailable: why };
    }
    const socket = openSocket(join(socketFolder, `X${Number(started.number)}`));
    let display: Display;
    try {
      display = await openDisplay({ socketPath: socket.path, size, guest });
    } catch (error) {
      socket.close();
      throw error;
    }
    if (started.panel === true) await display.desktopShown().catch(() => undefined);
    void display.closed.then(() => {
      display.close();
      socket.close();
      this.#state = null;
      this.#lost = true;
      this.#known = { unavailable: 'the X server has ended; the next use starts it again' };
    });
    return { display };
  }
}
