import { z } from 'zod';

/** Bytes of a payload's value that an answer shows at most; the rest is fetched by itself. */
export const SHOWN_BYTES = 16 * 1024;

export const payload = z
  .object({
    kind: z
      .enum(['json', 'text', 'binary', 'null', 'unknown'])
      .describe(
        '`json`: JSON, also of a protobuf message. `binary`: bytes that are no text. `unknown`: nobody could decode it, see `error`',
      ),
    encoding: z.string().describe('As its metadata say, e.g. `json/plain`; empty where they do not'),
    message_type: z.string().nullable().describe('The protobuf message’s name, where it is one'),
    size_bytes: z.int().min(0).describe('Of the value as decoded'),
    truncated: z
      .boolean()
      .describe(`Whether it is larger than ${SHOWN_BYTES} bytes and stands here with its beginning alone`),
    value: z
      .unknown()
      .describe('The JSON or the text; null for bytes, for `null` and `unknown`, and where it is truncated'),
    preview: z.string().nullable().describe('The beginning as text, where it is truncated'),
    base64: z.string().nullable().describe('The bytes, where a payload was asked for by itself'),
    redacted: z.boolean().describe('Whether a secret of this server was taken out'),
    codec: z.boolean().describe('Whether the codec endpoint has decoded it'),
    error: z.string().nullable().describe('Why it could not be decoded'),
    href: z
      .string()
      .nullable()
      .describe('Where it is whole, with the bytes of a binary one; null where this is all of it'),
  })
  .describe('A payload, decoded');

export type Payload = z.output<typeof payload>;
