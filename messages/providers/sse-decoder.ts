import { ProviderUnavailableError } from '../api/errors.ts';

/** One event of an upstream's stream. */
export interface WireEvent {
  /** Empty where the upstream gave no name. */
  readonly name: string;
  /** The data, which should be JSON. */
  readonly data: string;
}

/** Decodes the bytes of an answer into events, at whatever places the bytes are split. */
export interface EventDecoder {
  push(bytes: Uint8Array): readonly WireEvent[];
  /** Ends the answer and returns the rest as an event, if it is one. */
  end(): readonly WireEvent[];
}

/** The limit for an event in characters. The largest blocks that come in one event are far smaller. */
const LONGEST = 64 * 1024 * 1024;

/**
 * Decodes server-sent events: lines end in LF, CR or both, a blank line ends an event, and comments are skipped.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class SseDecoder implements EventDecoder {
  readonly #text = new TextDecoder();
  readonly #longest: number;
  /** The number of characters since the last event. */
  #size = 0;
  #rest = '';
  /** Whether the rest ends in a CR. A look at the text itself would copy it each time. */
  #isAfterCr = false;
  #name = '';
  #data: string[] = [];

  constructor(longest = LONGEST) {
    this.#longest = longest;
  }

  /** @throws {ProviderUnavailableError} on an event without an end */
  push(bytes: Uint8Array): WireEvent[] {
    const text = this.#text.decode(bytes, { stream: true });
    this.#size += text.length;
    if (this.#size > this.#longest + bytes.length) {
      throw new ProviderUnavailableError("the upstream's stream holds an endless event");
    }
    // The LF of a CR at the end of the bytes before may stand here.
    if (!/[\r\n]/.test(text) && !this.#isAfterCr) {
      this.#rest += text;
      return [];
    }
    const whole = this.#rest + text;
    this.#isAfterCr = whole.endsWith('\r');
    const lines = (this.#isAfterCr ? whole.slice(0, -1) : whole).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + (this.#isAfterCr ? '\r' : '');
    return lines.flatMap((line) => this.#line(line));
  }

  end(): WireEvent[] {
    const line = (this.#rest + this.#text.decode()).replace(/\r$/, '');
    this.#rest = '';
    return [...(line === '' ? [] : this.#line(line)), ...this.#line('')];
  }

  #line(line: string): WireEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.startsWith(' ', colon + 1) ? colon + 2 : colon + 1);
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    return [];
  }

  #dispatch(): WireEvent[] {
    const name = this.#name;
    const data = this.#data;
    this.#name = '';
    this.#data = [];
    this.#size = 0;
    return data.length === 0 ? [] : [{ name, data: data.join('\n') }];
  }
}
