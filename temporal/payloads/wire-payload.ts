import { type Fields, isFields } from '../wire/fields.ts';

/** A payload in the JSON form of protobuf: metadata and data in base64. */
export interface WirePayload {
  metadata?: Record<string, string>;
  data?: string;
  /** Our own: what stands in it. */
  decoded?: unknown;
}

/** Whether a message is a payload, told by its fields: nothing else has metadata of texts with an encoding. */
export function isPayload(value: Fields): boolean {
  const { metadata } = value;
  if (!isFields(metadata) || typeof metadata['encoding'] !== 'string') return false;
  return Object.keys(value).every(
    (key) => key === 'metadata' || key === 'data' || key === 'externalPayloads',
  );
}

export function metadataText(payload: WirePayload, key: string): string {
  return Buffer.from(payload.metadata?.[key] ?? '', 'base64').toString();
}

/** Arguments as the SDKs' default converter writes them. */
export function jsonPayloads(values: readonly unknown[]): WirePayload[] {
  const metadata = { encoding: Buffer.from('json/plain').toString('base64') };
  return values.map((value) => ({
    metadata,
    data: Buffer.from(JSON.stringify(value ?? null)).toString('base64'),
  }));
}

/** The same in the form of gRPC's messages. */
export function toMessage({ metadata = {}, data = '' }: WirePayload): {
  metadata: Record<string, Uint8Array>;
  data: Uint8Array;
} {
  return {
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([key, text]) => [key, Buffer.from(text, 'base64')]),
    ),
    data: Buffer.from(data, 'base64'),
  };
}
