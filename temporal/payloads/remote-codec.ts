import { ApiError } from '@steadyhand/contracts';
import { isFields } from '../wire/fields.ts';
import type { WirePayload } from './wire-payload.ts';

const TIMEOUT_MS = 5000;
/** Bytes of an answer at most. */
const LARGEST = 64 * 1024 * 1024;

export interface RemoteCodecOptions {
  /** Without `/decode`. */
  readonly endpoint: string;
  /** What is sent as `Authorization`. */
  readonly authorization?: string | undefined;
  readonly namespace: string;
}

/** Temporal's remote codec: a service of the user's that decodes and encodes payloads, e.g. with a key that it alone has. */
export class RemoteCodec {
  readonly #options: RemoteCodecOptions;

  constructor(options: RemoteCodecOptions) {
    this.#options = options;
  }

  /** Rejects with an error whose message says what went wrong. */
  decode(payloads: readonly WirePayload[]): Promise<readonly WirePayload[]> {
    return this.#ask('decode', payloads);
  }

  /** @throws {ApiError} where the endpoint does not do it */
  async encode(payloads: readonly WirePayload[]): Promise<readonly WirePayload[]> {
    try {
      return await this.#ask('encode', payloads);
    } catch (error) {
      throw new ApiError('api_error', (error as Error).message, { cause: error });
    }
  }

  async #ask(what: 'decode' | 'encode', payloads: readonly WirePayload[]): Promise<readonly WirePayload[]> {
    const { endpoint, authorization, namespace } = this.#options;
    try {
      const answer = await fetch(`${endpoint}/${what}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-namespace': namespace,
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: JSON.stringify({ payloads: payloads.map(({ metadata, data }) => ({ metadata, data })) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      return checked(JSON.parse(await textWithin(answer, LARGEST)), payloads.length);
    } catch (error) {
      throw new Error(`codec endpoint, ${what}: ${reasonOf(error)}`, { cause: error });
    }
  }
}

async function textWithin(answer: Response, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += (piece as Uint8Array).byteLength;
    if (size > most) throw new Error(`its answer is larger than ${most} bytes`);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString();
}

function checked(answer: unknown, count: number): readonly WirePayload[] {
  const payloads: unknown = isFields(answer) ? answer['payloads'] : undefined;
  if (!Array.isArray(payloads) || payloads.length !== count || !payloads.every((each) => isFields(each)))
    throw new Error(`expected { payloads } with ${count} of them`);
  return payloads as WirePayload[];
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== ''
    ? `${error.message}: ${cause.message}`
    : error.message;
}
