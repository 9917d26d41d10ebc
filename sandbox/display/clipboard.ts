import type { PropertyReply, XEvent } from 'x11';
import type { XConnection } from './connection.ts';
import { DisplayError } from './errors.ts';
import { atom } from './properties.ts';
import { serveSelection } from './selection-owner.ts';
import { pause } from './settle.ts';

/** `clipboard` is what Ctrl+C copies; `primary` is what is selected with the mouse. */
type Selection = 'clipboard' | 'primary';

const INPUT_ONLY = 2;
/** How long a program may take for each part of the text that it copied. */
const ANSWER_MS = 5000;
/** The limits of what is read from a program, which may send parts for ever. */
const MAX_BYTES = 8 * 1024 * 1024;
const WHOLE_MS = 30_000;
const NEW_VALUE = 0;

/**
 * The clipboard: text that was written is served from here to programs that paste, and text that others have copied is
 * requested from them.
 */
export class Clipboard {
  readonly #connect: () => Promise<XConnection>;
  #window: { readonly connection: XConnection; readonly id: number } | undefined;
  readonly #owned = new Map<number, string>();
  /**
   * Counts the transfers that were not read to their end. Such a program may go on writing, so the next transfer uses
   * another property.
   */
  #unfinished = 0;

  constructor(connect: () => Promise<XConnection>) {
    this.#connect = connect;
  }

  /** Puts text on the clipboard and into the primary selection, from which terminals paste. */
  async write(text: string): Promise<void> {
    const { connection, window } = await this.#open();
    for (const name of ['CLIPBOARD', 'PRIMARY']) {
      const selection = await atom(connection, name);
      this.#owned.set(selection, text);
      connection.x.SetSelectionOwner(window, selection, 0);
    }
    await connection.sync();
  }

  /**
   * Returns the text that was copied last; it is empty where there is none. Throws DisplayError when the owning program
   * does not deliver it.
   */
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

  /** Returns the selection as `target`; null when there is none or its owner does not offer that form. */
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
      // The text comes in parts: reading one requests the next, and an empty one is the last.
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

/** Delivers the events that `wanted` accepts one after another. `next` throws DisplayError when none comes in time. */
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
