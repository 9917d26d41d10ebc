import { crc32 } from '../../../../messages/providers/anthropic/crc32.ts';
import type { Handler } from '../../../support/anthropic-upstream.ts';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** One message of an AWS event stream; `extra` are raw bytes behind the headers, to break them. */
export function awsMessage(
  headers: Readonly<Record<string, string>>,
  payload: string,
  extra: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.concat([
    ...Object.entries(headers).flatMap(([name, value]) => [
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, value.length >> 8, value.length & 255]),
      Buffer.from(value),
    ]),
    extra,
  ]);
  const body = Buffer.from(payload);
  const lengths = Buffer.concat([uint32(12 + head.length + body.length + 4), uint32(head.length)]);
  const message = Buffer.concat([lengths, uint32(crc32(lengths)), head, body]);
  return Buffer.concat([message, uint32(crc32(message))]);
}

/** An event of the API as Bedrock frames it. */
export function awsEvent(event: object): Buffer {
  const bytes = Buffer.from(JSON.stringify(event)).toString('base64');
  const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' };
  return awsMessage(headers, JSON.stringify({ bytes, p: 'abc' }));
}

/** Frames as Bedrock answers with them. */
export function awsStream(frames: readonly Buffer[]): Handler {
  return (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-requestid': 'aws-1',
    });
    for (const frame of frames) response.write(frame);
    response.end();
  };
}
