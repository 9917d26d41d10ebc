import { assertProperty, fc } from '../../../support/fast-check.ts';
import { ProviderUnavailableError } from '../../../../messages/api/errors.ts';
import { AwsDecoder } from '../../../../messages/providers/anthropic/aws-decoder.ts';
import { crc32 } from '../../../../messages/providers/anthropic/crc32.ts';
import { SseDecoder, type EventDecoder, type WireEvent } from '../../../../messages/providers/sse-decoder.ts';
import { awsMessage } from './aws-message.ts';

/** What a decoder makes of bytes that come in pieces. */
function decoded(decoder: EventDecoder, pieces: readonly Uint8Array[]): WireEvent[] {
  return [...pieces.flatMap((piece) => [...decoder.push(piece)]), ...decoder.end()];
}

/** The same bytes, cut at these places. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const places = fc.array(fc.nat(), { maxLength: 12 });
const sse = (text: string): WireEvent[] => decoded(new SseDecoder(), [Buffer.from(text)]);

describe('server-sent events', () => {
  it.each([
    [
      'events',
      'event: a\ndata: 1\n\nevent: b\ndata: 2\n\n',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'line ends of other systems',
      'event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\r\r',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['comments and other fields', ': hello\nid: 9\nretry: 1\nevent: a\ndata: 1\n:\n\n', [['a', '1']]],
    ['data in several lines', 'data: {\ndata: }\n\n', [['', '{\n}']]],
    ['fields without a space, and with two', 'event:a\ndata:  1\n\n', [['a', ' 1']]],
    ['an event without data, which is none', 'event: a\n\nevent: b\ndata: 2\n\n', [['b', '2']]],
    ['empty data', 'event: a\ndata\n\n', [['a', '']]],
    ['a byte order mark', '\uFEFFevent: a\ndata: 1\n\n', [['a', '1']]],
    ['a last event without its blank line', 'event: a\ndata: 1', [['a', '1']]],
    ['nothing', '', []],
  ])('are read: %s', (_what, text, expected) => {
    expect(sse(text).map(({ name, data }) => [name, data])).toEqual(expected);
  });

  it('are refused when one has no end', () => {
    const line = Buffer.from('data: more\n');
    const endless = (): void => {
      const decoder = new SseDecoder(1000);
      for (let sent = 0; sent < 2000; sent += line.length) decoder.push(line);
    };
    expect(endless).toThrow('endless event');
    const decoder = new SseDecoder(1000);
    const events = Buffer.from('data: 1\n\n'.repeat(500));
    expect([...decoder.push(events), ...decoder.push(events)]).toHaveLength(1000);
  });

  it('are the same however the bytes are cut', () => {
    const event = fc.record({
      name: fc.constantFrom('message_start', 'content_block_delta', ''),
      data: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => JSON.stringify(text)),
      end: fc.constantFrom('\n', '\r\n', '\r'),
    });
    assertProperty(100, fc.array(event, { maxLength: 6 }), places, (events, cuts) => {
      const text = events.map(
        ({ name, data, end }) => `${name === '' ? '' : `event: ${name}${end}`}data: ${data}${end}${end}`,
      );
      const bytes = Buffer.from(text.join(''));
      expect(decoded(new SseDecoder(), cutAt(bytes, cuts))).toEqual(
        events.map(({ name, data }) => ({ name, data })),
      );
    });
  });
});

/** Made by AWS's own codec. */
const GOLDEN = {
  chunk:
    'AAAAlAAAAEugqsahCzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaWJXVnpjMkZuWlY5emRHOXdJbjA9IiwicCI6ImFiY2RlZiJ9yybFCA==',
  exception:
    'AAAAjgAAAGFRQYBUDzpleGNlcHRpb24tdHlwZQcAE3Rocm90dGxpbmdFeGNlcHRpb24NOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcACWV4Y2VwdGlvbnsibWVzc2FnZSI6IlRvbyBtYW55IHRva2VucyJ9yBsewQ==',
  error:
    'AAAAdwAAAGf9BhdNCzplcnJvci1jb2RlBwAPSW50ZXJuYWxGYWlsdXJlDjplcnJvci1tZXNzYWdlBwAhQW4gaW50ZXJuYWwgc2VydmVyIGVycm9yIG9jY3VycmVkDTptZXNzYWdlLXR5cGUHAAVlcnJvcucUdjY=',
  allTypes:
    'AAAAnQAAAG1/tyEtBGZsYWcAA29mZgEBYgIBAXMDAAIBaQQAAAADA2JpbgYAAwECAwF0CAAAAAAAAAABAXUJABEiM0RVZneImaq7zN3u/ws6ZXZlbnQtdHlwZQcABWNodW5rDTptZXNzYWdlLXR5cGUHAAVldmVudHsiYnl0ZXMiOiJleUowZVhCbElqb2ljR2x1WnlKOSJ9UGlYNQ==',
};
const golden = (name: keyof typeof GOLDEN): Buffer => Buffer.from(GOLDEN[name], 'base64');

describe("Bedrock's event stream", () => {
  it.each([
    ['chunk', '', { type: 'message_stop' }],
    ['allTypes', '', { type: 'ping' }],
    [
      'exception',
      'error',
      { type: 'error', error: { type: 'rate_limit_error', message: 'Too many tokens' } },
    ],
    [
      'error',
      'error',
      { type: 'error', error: { type: 'api_error', message: 'An internal server error occurred' } },
    ],
  ] as const)("is read as AWS's codec writes it: %s", (name, event, data) => {
    const [read, ...others] = decoded(new AwsDecoder(), [golden(name)]);
    expect(others).toEqual([]);
    expect(read?.name).toBe(event);
    expect(JSON.parse(read?.data ?? '')).toEqual(data);
  });

  it("is written by these tests as AWS's codec writes it", () => {
    const body = { bytes: Buffer.from('{"type":"message_stop"}').toString('base64'), p: 'abcdef' };
    const headers = {
      ':event-type': 'chunk',
      ':content-type': 'application/json',
      ':message-type': 'event',
    };
    expect(awsMessage(headers, JSON.stringify(body))).toEqual(golden('chunk'));
  });

  it('is the same however the bytes are cut', () => {
    const bytes = Buffer.concat([golden('chunk'), golden('allTypes'), golden('exception')]);
    assertProperty(100, places, (cuts) => {
      const names = decoded(new AwsDecoder(), cutAt(bytes, cuts)).map(({ name }) => name);
      expect(names).toEqual(['', '', 'error']);
    });
  });

  it('is refused when a bit is not as it was sent, wherever', () => {
    const bytes = golden('chunk');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const broken = Buffer.from(bytes);
      broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decoded(new AwsDecoder(), [broken])).toThrow(ProviderUnavailableError);
    }
  });

  it('is refused when it breaks off, wherever', () => {
    const bytes = golden('chunk');
    for (let length = 1; length < bytes.length; length++) {
      expect(() => decoded(new AwsDecoder(), [bytes.subarray(0, length)])).toThrow('breaks off');
    }
  });

  it.each([
    ['headers that run over', { header: Buffer.from([40, 65]) }],
    ['a header of an unknown type', { header: Buffer.from([1, 65, 77]) }],
    ['a payload that is no JSON', { payload: 'hello' }],
  ])('is refused with %s, though its checksums are right', (_what, { header, payload }: Broken) => {
    const bytes = awsMessage({ ':message-type': 'event', ':event-type': 'chunk' }, payload ?? '{}', header);
    expect(() => decoded(new AwsDecoder(), [bytes])).toThrow(ProviderUnavailableError);
  });

  it.each([
    ['another kind of event', { ':event-type': 'metadata', ':message-type': 'event' }, '{"bytes":"e30="}'],
    ['an event without bytes', { ':event-type': 'chunk', ':message-type': 'event' }, '{}'],
    ['an event without a payload', { ':event-type': 'chunk', ':message-type': 'event' }, ''],
  ])('is passed over: %s', (_what, headers, payload) => {
    expect(decoded(new AwsDecoder(), [awsMessage(headers, payload)])).toEqual([]);
  });
});

interface Broken {
  readonly header?: Buffer;
  readonly payload?: string;
}

it('checksums are those of zip and PNG', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
  expect(crc32(Buffer.alloc(0))).toBe(0);
});
