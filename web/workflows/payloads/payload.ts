import type { ApiAnswer } from '../../client/api.ts';

/** A payload with its value, as the API shows it. */
export type Payload = ApiAnswer<'GET /v1/workflows/{workflow_id}/payload'>;

/** A payload as a history holds it. From the API it has its value beside it; in a file it has not. */
export interface WirePayload {
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly data?: string | null;
  readonly decoded?: Payload;
}

export function isWirePayload(value: unknown): value is WirePayload {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('decoded' in value) return true;
  return (
    'metadata' in value &&
    Object.keys(value).every((key) => ['metadata', 'data', 'externalPayloads'].includes(key))
  );
}

/** The value of a payload. One from a file is decoded here, in the forms that Temporal's SDKs write by themselves. */
export function payloadOf({ metadata, data, decoded }: WirePayload): Payload {
  if (decoded !== undefined) return decoded;
  const encoding = textOf(metadata?.['encoding'] ?? '');
  const bytes = bytesOf(data ?? '');
  const plain = {
    encoding,
    message_type: metadata?.['messageType'] === undefined ? null : textOf(metadata['messageType']),
    size_bytes: bytes.length,
    truncated: false,
    value: null,
    preview: null,
    base64: null,
    redacted: false,
    codec: false,
    error: null,
    href: null,
  };
  if (encoding === 'binary/null') return { ...plain, kind: 'null' };
  if (encoding === 'binary/plain') return { ...plain, kind: 'binary', base64: data ?? '' };
  if (encoding.startsWith('json/')) {
    try {
      return { ...plain, kind: 'json', value: JSON.parse(new TextDecoder().decode(bytes)) as unknown };
    } catch (error) {
      return { ...plain, kind: 'unknown', error: error instanceof Error ? error.message : String(error) };
    }
  }
  return {
    ...plain,
    kind: 'unknown',
    base64: data ?? '',
    error:
      encoding === '' ? 'The payload does not say how it is encoded.' : `Nothing here decodes ${encoding}.`,
  };
}

function textOf(base64: string): string {
  return new TextDecoder().decode(bytesOf(base64));
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    // Files of other tools have the alphabet for addresses.
    const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (char) => char.codePointAt(0) ?? 0);
  } catch {
    return new Uint8Array();
  }
}
