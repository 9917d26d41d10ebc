import { SHOWN_BYTES } from '../shapes/payload.ts';
import type { Payload, PayloadForm } from '../shapes/index.ts';
import type { Fields } from '../wire/fields.ts';
import { decodeValue, PLAIN_ENCODINGS } from './decode-value.ts';
import type { RemoteCodec } from './remote-codec.ts';
import { isPayload, metadataText, type WirePayload } from './wire-payload.ts';

/** Messages are walked this many at a time before others have their turn. */
const AT_A_TIME = 50;

/** A message's payload, and where it stands in it. */
interface Found {
  readonly path: string;
  readonly payload: WirePayload;
}

/** Fields that tell what went wrong in a person's or a program's words. */
const PROSE = new Set(['message', 'stackTrace', 'reason']);

export interface PayloadReaderOptions {
  readonly codec: RemoteCodec | undefined;
  readonly scrub: (text: string) => string;
}

/** Where the payloads of a message are found whole. */
export type HrefOf = (path: string) => string | null;

/** Decodes the payloads in messages, and takes secrets out of them. */
export class PayloadReader {
  readonly #options: PayloadReaderOptions;

  constructor(options: PayloadReaderOptions) {
    this.#options = options;
  }

  get hasCodec(): boolean {
    return this.#options.codec !== undefined;
  }

  /** Puts beside each payload in the messages what it holds, as `decoded`; the codec is asked once for all. */
  async decode(
    messages: readonly { readonly message: Fields; readonly hrefOf: HrefOf }[],
    form: PayloadForm = 'both',
    { whole = false }: { readonly whole?: boolean } = {},
  ): Promise<void> {
    const found: (Found & { readonly hrefOf: HrefOf })[] = [];
    for (const [index, { message, hrefOf }] of messages.entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await turn();
      for (const each of this.#walk(message, '')) found.push({ ...each, hrefOf });
    }
    const outcomes = await this.#undo(found.map(({ payload }) => payload));
    for (const [index, { path, payload, hrefOf }] of found.entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await turn();
      const { plain, error } = outcomes[index] ?? { plain: payload };
      const decoded = decodeValue(plain, {
        scrub: this.#options.scrub,
        whole,
        href: hrefOf(path),
        codec: plain !== payload,
        error,
      });
      // What is shown in part would be sent whole beside it.
      if (form === 'decoded' || (form === 'both' && (payload.data?.length ?? 0) > SHOWN_BYTES * 1.4))
        delete payload.data;
      if (form !== 'raw') payload.decoded = decoded;
    }
  }

  /** Replaces payloads that a codec has encoded by what they are, and takes secrets out of all. */
  async undo(messages: readonly Fields[]): Promise<void> {
    const found: WirePayload[] = [];
    for (const [index, message] of messages.entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await turn();
      for (const { payload } of this.#walk(message, '')) found.push(payload);
    }
    const outcomes = await this.#undo(found);
    for (const [index, payload] of found.entries()) {
      if (index % AT_A_TIME === AT_A_TIME - 1) await turn();
      const { plain } = outcomes[index] ?? { plain: payload };
      const { metadata, data } = plain;
      Object.assign(payload, { metadata, data });
      decodeValue(payload, { scrub: this.#options.scrub, href: null });
    }
  }

  /** The payload at a path of a message, whole; undefined where there is none. */
  async whole(message: Fields, path: string): Promise<Payload | undefined> {
    const found = [...this.#walk(message, '')].find((each) => each.path === path);
    if (found === undefined) return undefined;
    const [outcome] = await this.#undo([found.payload]);
    const { plain, error } = outcome ?? { plain: found.payload };
    const { scrub } = this.#options;
    return decodeValue(plain, { scrub, whole: true, href: null, codec: plain !== found.payload, error });
  }

  /** Payloads as they are sent, encoded where there is a codec. */
  async encode(payloads: readonly WirePayload[]): Promise<readonly WirePayload[]> {
    const { codec } = this.#options;
    return codec === undefined || payloads.length === 0 ? payloads : await codec.encode(payloads);
  }

  /** What the codec makes of the payloads that need it; a fault of it stands at each of them. */
  async #undo(
    payloads: readonly WirePayload[],
  ): Promise<readonly { readonly plain: WirePayload; readonly error?: string | undefined }[]> {
    const { codec } = this.#options;
    const encoded = codec === undefined ? [] : payloads.filter((payload) => needsCodec(payload));
    if (codec === undefined || encoded.length === 0) return payloads.map((plain) => ({ plain }));
    try {
      const decoded = await codec.decode(encoded);
      const plainOf = new Map(encoded.map((payload, index) => [payload, decoded[index] ?? payload]));
      return payloads.map((payload) => ({ plain: plainOf.get(payload) ?? payload }));
    } catch (error) {
      const { message } = error as Error;
      return payloads.map((plain) => ({ plain, ...(needsCodec(plain) ? { error: message } : {}) }));
    }
  }

  /** The payloads in a message. On the way, secrets are taken out of its prose. */
  *#walk(value: unknown, path: string): Generator<Found, void, undefined> {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value) && isPayload(value as Fields)) {
      yield { path, payload: value as WirePayload };
      return;
    }
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && PROSE.has(key)) {
        (value as Record<string, unknown>)[key] = this.#options.scrub(inner);
      } else yield* this.#walk(inner, path === '' ? key : `${path}.${key}`);
    }
  }
}

function needsCodec(payload: WirePayload): boolean {
  return !PLAIN_ENCODINGS.has(metadataText(payload, 'encoding'));
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
