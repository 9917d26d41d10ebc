import { type Payload, SHOWN_BYTES } from '../shapes/payload.ts';
import { metadataText, type WirePayload } from './wire-payload.ts';

/** The encodings of the SDKs' default converters. */
export const PLAIN_ENCODINGS: ReadonlySet<string> = new Set([
  'binary/null',
  'binary/plain',
  'binary/protobuf',
  'json/plain',
  'json/protobuf',
]);

/** Characters of a large value that are shown. */
const PREVIEW = 2048;

export interface DecodeOptions {
  /** Takes secrets out of a text. */
  readonly scrub: (text: string) => string;
  /** Shows it whole, with the bytes of a binary one. */
  readonly whole?: boolean;
  readonly href: string | null;
  readonly codec?: boolean;
  /** Why the codec did not decode it. */
  readonly error?: string | undefined;
}

const NOTHING = { value: null, preview: null, base64: null, truncated: false, redacted: false } as const;

/**
 * What a payload holds. Where a secret stands in it, the payload itself is changed too, so that its raw form does not tell it.
 * Never throws: what cannot be decoded says why.
 */
export function decodeValue(payload: WirePayload, options: DecodeOptions): Payload {
  const encoding = metadataText(payload, 'encoding');
  const data = Buffer.from(payload.data ?? '', 'base64');
  const common = {
    ...NOTHING,
    encoding,
    message_type: metadataText(payload, 'messageType') || null,
    size_bytes: data.length,
    codec: options.codec ?? false,
    error: options.error ?? null,
    href: null,
  };
  switch (encoding) {
    case 'binary/null':
      return { ...common, kind: 'null' };
    case 'json/plain':
    case 'json/protobuf':
      return jsonValue(payload, data, common, options);
    case 'binary/plain':
    case 'binary/protobuf':
      return bytesValue(payload, data, common, options);
    default: {
      const { error } = common;
      const bytes = { ...common, ...(options.whole ? { base64: data.toString('base64') } : {}) };
      return {
        ...bytes,
        kind: 'unknown',
        error: error ?? `the encoding ${encoding} is not known here; see the codec endpoint`,
        href: options.whole ? null : options.href,
      };
    }
  }
}

type Common = Omit<Payload, 'kind'>;

function jsonValue(payload: WirePayload, data: Buffer, common: Common, options: DecodeOptions): Payload {
  const { text, redacted } = scrubbed(payload, data, options);
  if (text.length > SHOWN_BYTES && !options.whole) return cut('json', text, { ...common, redacted }, options);
  try {
    return { ...common, kind: 'json', redacted, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ...common, kind: 'unknown', redacted, error: `not JSON: ${(error as Error).message}` };
  }
}

function bytesValue(payload: WirePayload, data: Buffer, common: Common, options: DecodeOptions): Payload {
  if (common.encoding === 'binary/plain' && isText(data)) {
    const { text, redacted } = scrubbed(payload, data, options);
    if (text.length > SHOWN_BYTES && !options.whole)
      return cut('text', text, { ...common, redacted }, options);
    return { ...common, kind: 'text', redacted, value: text };
  }
  if (options.whole) return { ...common, kind: 'binary', base64: data.toString('base64') };
  return { ...common, kind: 'binary', truncated: data.length > SHOWN_BYTES, href: options.href };
}

function cut(kind: 'json' | 'text', text: string, common: Common, { href }: DecodeOptions): Payload {
  return { ...common, kind, truncated: true, preview: text.slice(0, PREVIEW), href };
}

function scrubbed(
  payload: WirePayload,
  data: Buffer,
  { scrub }: DecodeOptions,
): { readonly text: string; readonly redacted: boolean } {
  const plain = data.toString();
  const text = scrub(plain);
  if (text === plain) return { text, redacted: false };
  payload.data = Buffer.from(text).toString('base64');
  return { text, redacted: true };
}

/** Whether bytes are UTF-8 without control characters. */
function isText(data: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data);
    // Control characters tell other bytes from text.
    // eslint-disable-next-line no-control-regex
    return !/[\u0000-\u0008\u000e-\u001f]/.test(text);
  } catch {
    return false;
  }
}
