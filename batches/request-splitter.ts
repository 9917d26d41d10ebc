import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import { type JsonListener, JsonSyntax, NotJsonError } from '@steadyhand/messages';
import { MAX_REQUESTS, REQUEST_BYTES } from './limits.ts';

/** A request of a batch as it stands in the body: the texts of its fields. */
export interface SplitRequest {
  readonly position: number;
  readonly customId: Uint8Array | undefined;
  readonly params: Uint8Array | undefined;
  /** The first field that a request does not have. */
  readonly extra: string | undefined;
}

/** What a body holds beside its requests. */
export interface SplitRest {
  /** False when there is no list of requests. */
  readonly hasRequests: boolean;
  readonly betas: Uint8Array | undefined;
}

export const NOT_AN_OBJECT = 'Input should be a valid dictionary or object to extract fields from';

const NAME_BYTES = 1024;
const FIELD_BYTES = 64 * 1024;
const OBJECT = 0x7b;
const LIST = 0x5b;

/** A piece of the text that is being kept until it ends. */
interface Kept {
  readonly limit: number;
  readonly where: string;
  /** Where it goes on in the present chunk. */
  start: number;
  readonly pieces: Uint8Array[];
  size: number;
}

/**
 * Takes the body of a batch apart while it arrives, `{"requests": [{"custom_id": ..., "params": {...}}, ...]}`. The text is
 * checked to be JSON and nothing of it is parsed; one request at most is in hand at a time.
 */
export class RequestSplitter implements JsonListener {
  readonly #syntax = new JsonSyntax(this);
  #chunk: Uint8Array = new Uint8Array();
  #done: SplitRequest[] = [];
  #count = 0;
  #kept: Kept | undefined;
  /** Depth of the value that is kept or passed over; what stands inside it is nobody's business here. */
  #inside: number | undefined;
  #name = '';
  #inRequests = false;
  #hasRequests = false;
  #betas: Uint8Array | undefined;
  #customId: Uint8Array | undefined;
  #params: Uint8Array | undefined;
  #extra: string | undefined;
  #extraOutside: string | undefined;

  /** Reads the next piece; answers the requests that it completed. Throws InvalidRequestError and ApiError (413). */
  push(chunk: Uint8Array): readonly SplitRequest[] {
    this.#chunk = chunk;
    reading(() => this.#syntax.push(chunk));
    if (this.#kept !== undefined) this.#keep(this.#kept, chunk.length);
    return this.#take();
  }

  /** The body is over. Throws InvalidRequestError when it is not whole, or has fields that a batch does not have. */
  end(): SplitRest {
    this.#chunk = new Uint8Array();
    reading(() => this.#syntax.end());
    if (this.#extraOutside !== undefined) {
      throw new InvalidRequestError(`${this.#extraOutside}: Extra inputs are not permitted`);
    }
    return { hasRequests: this.#hasRequests, betas: this.#betas };
  }

  value(first: number, offset: number): void {
    if (this.#inside !== undefined) return;
    const { depth } = this.#syntax;
    switch (depth) {
      case 0:
        if (first !== OBJECT) throw new InvalidRequestError(NOT_AN_OBJECT);
        return;
      case 1:
        if (this.#name === 'requests') this.#openRequests(first);
        else if (this.#name === 'betas') this.#keepFrom(offset, FIELD_BYTES, 'betas');
        else {
          this.#extraOutside ??= this.#name;
          this.#inside = depth;
        }
        return;
      case 2:
        if (this.#count === MAX_REQUESTS) {
          throw new InvalidRequestError(
            `requests: List should have at most ${MAX_REQUESTS} items after validation, not ${MAX_REQUESTS + 1}`,
          );
        }
        if (first !== OBJECT) throw new InvalidRequestError(`requests.${this.#count}: ${NOT_AN_OBJECT}`);
        return;
      default:
        this.#field(offset);
    }
  }

  valueEnd(end: number): void {
    const { depth } = this.#syntax;
    if (this.#inside !== undefined) {
      if (depth === this.#inside) this.#closeField(end);
      return;
    }
    if (depth === 2) this.#closeRequest();
    if (depth === 1) this.#inRequests = false;
  }

  name(offset: number): void {
    if (this.#inside !== undefined) return;
    this.#kept = { limit: NAME_BYTES, where: 'a field’s name', start: offset, pieces: [], size: 0 };
  }

  nameEnd(end: number): void {
    if (this.#inside !== undefined) return;
    this.#name = JSON.parse(textOf(this.#keptUntil(end))) as string;
  }

  #openRequests(first: number): void {
    if (first !== LIST) throw new InvalidRequestError('requests: Input should be a valid list');
    if (this.#hasRequests) throw new InvalidRequestError('requests: Input should be given once');
    this.#hasRequests = true;
    this.#inRequests = true;
  }

  #field(offset: number): void {
    const where = `requests.${this.#count}.${this.#name}`;
    if (this.#name === 'custom_id') this.#keepFrom(offset, FIELD_BYTES, where);
    else if (this.#name === 'params') this.#keepFrom(offset, REQUEST_BYTES, where);
    else {
      this.#extra ??= this.#name;
      this.#inside = this.#syntax.depth;
    }
  }

  #closeField(end: number): void {
    this.#inside = undefined;
    if (this.#kept === undefined) return;
    const bytes = this.#keptUntil(end);
    if (!this.#inRequests) this.#betas = bytes;
    else if (this.#name === 'custom_id') this.#customId = bytes;
    else this.#params = bytes;
  }

  #closeRequest(): void {
    this.#done.push({
      position: this.#count,
      customId: this.#customId,
      params: this.#params,
      extra: this.#extra,
    });
    this.#count += 1;
    this.#customId = undefined;
    this.#params = undefined;
    this.#extra = undefined;
  }

  #keepFrom(start: number, limit: number, where: string): void {
    this.#inside = this.#syntax.depth;
    this.#kept = { limit, where, start, pieces: [], size: 0 };
  }

  #keep(kept: Kept, end: number): void {
    const piece = this.#chunk.subarray(kept.start, end);
    kept.size += piece.length;
    if (kept.size > kept.limit) {
      throw new ApiError('request_too_large', `${kept.where}: larger than ${kept.limit} bytes`);
    }
    kept.pieces.push(piece);
    kept.start = 0;
  }

  #keptUntil(end: number): Uint8Array {
    const kept = this.#kept;
    if (kept === undefined) throw new Error('nothing is kept');
    this.#keep(kept, end);
    this.#kept = undefined;
    const [only] = kept.pieces;
    return kept.pieces.length === 1 && only !== undefined ? only : Buffer.concat(kept.pieces);
  }

  #take(): readonly SplitRequest[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function reading(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (error instanceof NotJsonError) {
      throw new InvalidRequestError(
        `The request body is not valid JSON: ${error.message}, at byte ${error.position}`,
      );
    }
    throw error;
  }
}
