import type { PropertyReply, XEvent } from 'x11';
import type { XConnection } from './connection.ts';
import { DisplayError } from './errors.ts';
import { atom } from './properties.ts';
import { serveSelection } from './selection-owner.ts';
import { pause } from './settle.ts';

/** `clipboard` is what Ctrl+C copies, `primary` what is selected with the mouse. */
export type Selection = 'clipboard' | 'primary';

const INPUT_ONLY = 2;
/** How long a program may take for each part of what it has copied. */
const ANSWER_MS = 5000;
/** More than this is not taken over from a program, which may hand out parts for ever; and for how long it may. */
const MAX_BYTES = 8 * 1024 * 1024;
const WHOLE_MS = 30_000;
const NEW_VALUE = 0;

/**
 * The clipboard as a program of its own has it: text that was written is served from here to whoever pastes, and text that
 * others have copied is asked of them.
 */
export class Clipboard {
  readonly #connect: () => Promise<XConnection>;
  #window: { readonly connection: XConnection; readonly id: number } | undefined;
  readonly #owned = new Map<number, string>();
  /** Counts what was not read to its end: its program may go on with it, so that the next comes in another property. */
  #unfinished = 0;

  constructor(connect: () => Promise<XConnection>) {
    this.#connect = connect;
  }

  /** Puts text on the clipboard and into the primary selection, which terminals paste from. */
  async write(text: string): Promise<void> {
    const { connection, window } = await this.#open();
    for (const name of ['CLIPBOARD', 'PRIMARY']) {
      const selection = await atom(connection, name);
      this.#owned.set(selection, text);
      connection.x.SetSelectionOwner(window, selection, 0);
    }
    await connection.sync();
  }

  /** The text that was copied last; empty where there is none. DisplayError when its program does not hand it out. */
  async read(which: Selection = 'clipboard'): Promise<string> {
    const { connection, window } = await this.#open();
    const selection = await atom(connection, which.toUpperCase());
    const own = this.#owned.get(selection);
    if (own !== undefined) return own;
    for (const [target, encoding] of [
      ['UTF8_STRING', 'utf8'],
      ['STRING', 'latin1'],
    ] as const) {
      const bytes = await this.#convert(connection, window, selection, await atom(connection, target));
      if (bytes !== null) return bytes.toString(encoding);
    }
    return '';
  }

  async #open(): Promise<{ readonly connection: XConnection; readonly window: number }> {
    const connection = await this.#connect();
    if (this.#window?.connection !== connection) {
      const { x, root } = connection;
      const id = x.AllocID();
      x.CreateWindow(id, root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, {
        eventMask: x.eventMask['PropertyChange'] ?? 0,
      });
      this.#owned.clear();
      this.#window = { connection, id };
      connection.onEvent((event) => {
        if (event.name === 'SelectionClear' && event.owner === id) this.#owned.delete(event.selection ?? 0);
      });
      await serveSelection(connection, id, (selection) => this.#owned.get(selection));
    }
    return { connection, window: this.#window?.id ?? 0 };
  }

  /** The selection as `target`; null when there is none or its owner has no such form of it. */
  async #convert(
    connection: XConnection,
    window: number,
    selection: number,
    target: number,
  ): Promise<Buffer | null> {
    const { x } = connection;
    const [property, incremental] = await Promise.all([
      atom(connection, `STEADYHAND_SELECTION_${this.#unfinished % 64}`),
      atom(connection, 'INCR'),
    ]);
    const take = (): Promise<PropertyReply> =>
      connection.request('GetProperty', (done) =>
        x.GetProperty(1, window, property, 0, 0, MAX_BYTES / 4, done),
      );
    const events = listen(
      connection,
      (event) =>
        (event.name === 'SelectionNotify' && event.requestor === window && event.target === target) ||
        (event.name === 'PropertyNotify' &&
          event.wid === window &&
          event.atom === property &&
          event.state === NEW_VALUE),
    );
    try {
      x.ConvertSelection(window, selection, target, property, 0);
      let event = await events.next();
      while (event.name !== 'SelectionNotify') event = await events.next();
      if (event.property === 0) return null;
      events.forget();
      const first = await take();
      if (first.type !== incremental) return limited(first.data);
      // In parts: taking one is what asks for the next, and an empty one is the last.
      const parts: Buffer[] = [];
      const end = performance.now() + WHOLE_MS;
      for (let bytes = 0; ;) {
        await events.next();
        const { data } = await take();
        if (data.length === 0) return Buffer.concat(parts);
        bytes += data.length;
        if (bytes >= MAX_BYTES || performance.now() > end) throw tooMuch();
        parts.push(Buffer.from(data));
      }
    } catch (error) {
      this.#unfinished += 1;
      throw error;
    } finally {
      events.end();
    }
  }
}

function limited(data: Buffer): Buffer {
  if (data.length >= MAX_BYTES) throw tooMuch();
  return Buffer.from(data);
}

function tooMuch(): DisplayError {
  return new DisplayError(
    'refused',
    `what was copied comes to more than ${MAX_BYTES} bytes, or never to an end`,
  );
}

/** Events that `wanted` takes, one after another; DisplayError when the next does not come in time. */
function listen(
  connection: XConnection,
  wanted: (event: XEvent) => boolean,
): { next(): Promise<XEvent>; forget(): void; end(): void } {
  let queue: XEvent[] = [];
  let wake = new AbortController();
  const off = connection.onEvent((event) => {
    if (!wanted(event)) return;
    queue.push(event);
    wake.abort();
  });
  return {
    next: async () => {
      if (queue.length === 0) await pause(ANSWER_MS, wake.signal);
      wake = new AbortController();
      const event = queue.shift();
      if (event === undefined)
        throw new DisplayError('refused', 'the program that has copied something does not hand it out');
      return event;
    },
    forget: () => {
      queue = [];
    },
    end: off,
  };
}
