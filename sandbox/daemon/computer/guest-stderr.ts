import { StringDecoder } from 'node:string_decoder';

/** The guest itself writes little. What the agent runs must not be able to fill the disk through it. */
const MAX_CHUNKS = 50;
const MAX_CHARACTERS = 2_000;

/** Logs the beginning of a guest's standard error, and keeps it for the reason why the guest did not start. */
export class GuestStderr {
  #text = '';
  #chunks = 0;
  readonly #decoder = new StringDecoder('utf8');

  readonly #log: (text: string) => void;

  constructor(log: (text: string) => void) {
    this.#log = log;
  }

  readonly accept = (chunk: Buffer): void => {
    if ((this.#chunks += 1) > MAX_CHUNKS) return;
    const text = this.#decoder.write(chunk).slice(0, MAX_CHARACTERS);
    this.#text += text;
    this.#log(text.trim());
  };

  get text(): string {
    return this.#text.trim();
  }
}
