import { deflateSync } from 'node:zlib';
import { assertProperty, fc } from '../../support/fast-check.ts';
import {
  countInputTokens,
  type ContentBlockParam,
  type MessageParam,
  type ModelRequest,
} from '../../../messages/index.ts';
import { pdfPages } from '../../../messages/tokens/pdf-pages.ts';
import { replyTokens } from '../../../messages/tokens/request-tokens.ts';
import { modelRequest, png } from '../support.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 120 });
const models = fc.constantFrom('script', 'claude-sonnet-4-6', 'claude-opus-5', 'claude-3-haiku-20240307');
const block: fc.Arbitrary<ContentBlockParam> = fc.oneof(
  text.map((said): ContentBlockParam => ({ type: 'text', text: said })),
  fc
    .tuple(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 4000 }))
    .map(([width, height]): ContentBlockParam => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: png(width, height) },
    })),
  fc
    .dictionary(fc.string({ maxLength: 8 }), text, { maxKeys: 4 })
    .map((input): ContentBlockParam => ({ type: 'tool_use', id: 'toolu_1', name: 'bash', input })),
  text.map((content): ContentBlockParam => ({ type: 'tool_result', tool_use_id: 'toolu_1', content })),
);
const message: fc.Arbitrary<MessageParam> = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  content: fc.oneof(text, fc.array(block, { maxLength: 4 })),
});
const messages = fc.array(message, { maxLength: 5 });

const count = (model: string, change: Partial<ModelRequest>): number =>
  countInputTokens(modelRequest({ model, tools: [], ...change }));

it('is monotone: one message more never makes a request cost less', () => {
  assertProperty(100, messages, message, models, (before, more, model) => {
    const longer = count(model, { messages: [...before, more] });
    expect(longer).toBeGreaterThan(count(model, { messages: before }));
  });
});

it('is additive: two conversations cost together what they cost in one request, but for what stands around a request', () => {
  assertProperty(100, messages, messages, models, (one, other, model) => {
    const around = count(model, { messages: [] });
    const parts = count(model, { messages: one }) + count(model, { messages: other }) - around;
    expect(Math.abs(count(model, { messages: [...one, ...other] }) - parts)).toBeLessThanOrEqual(2);
  });
});

it('adds system texts and tools to whatever the messages cost', () => {
  assertProperty(100, messages, text, models, (said, system, model) => {
    const bare = count(model, { messages: said });
    const withSystem = count(model, { messages: said, system });
    expect(withSystem).toBeGreaterThanOrEqual(bare);
    const bash = { type: 'bash_20241022', name: 'bash' } as const;
    expect(count(model, { messages: said, tools: [bash] }) - bare).toBe(466 + 245);
  });
});

it('does not depend on the order of messages, nor on ids', () => {
  assertProperty(100, messages, models, (said, model) => {
    const reversed = count(model, { messages: said.toReversed() });
    expect(Math.abs(reversed - count(model, { messages: said }))).toBeLessThanOrEqual(1);
  });
  const use = (id: string): number =>
    replyTokens([{ type: 'tool_use', id, name: 'bash', input: {} }], 'script');
  expect(use('toolu_1')).toBe(use('toolu_01A09q90qw90lq917835lq9'));
});

it('counts more for the newer tokenizer, by about three tenths in prose', () => {
  const prose =
    'The quick train of thought stands still, and people wonder about the weather outside. '.repeat(40);
  const ratio =
    count('claude-opus-5', { messages: [{ role: 'user', content: prose }] }) /
    count('claude-sonnet-4-6', { messages: [{ role: 'user', content: prose }] });
  expect(ratio).toBeGreaterThan(1.15);
  expect(ratio).toBeLessThan(1.6);
});

describe('pages of a PDF', () => {
  const base64 = (body: string | Buffer): string => Buffer.from(body as string, 'latin1').toString('base64');

  it('are its page objects, and one at least', () => {
    expect(pdfPages(base64('%PDF-1.4 /Type /Pages /Type /Page /Type/Page /Type /PageLabel'))).toBe(2);
    expect(pdfPages(base64('%PDF-1.4'))).toBe(1);
    expect(pdfPages('')).toBe(1);
  });

  it('are found where they are packed', () => {
    const packed = deflateSync(
      Buffer.from('<< /Type /Pages >> << /Type /Page >> << /Type /Page >> << /Type/Page >>'),
    );
    const file = Buffer.concat([
      Buffer.from('%PDF-1.5\n1 0 obj << /Type /ObjStm /N 4 /Filter /FlateDecode >>\nstream\r\n'),
      packed,
      Buffer.from('\nendstream endobj'),
    ]);
    expect(pdfPages(file.toString('base64'))).toBe(3);
  });

  it('are none of a packed stream that is broken, or larger than is looked through', () => {
    const broken = '%PDF-1.5 << /Type /ObjStm >>\nstream\nnot packed at all\nendstream /Type /Page';
    expect(pdfPages(base64(broken))).toBe(1);
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
    const file = Buffer.concat([Buffer.from('/Type /ObjStm >>\nstream\n'), bomb, Buffer.from('\nendstream')]);
    expect(pdfPages(file.toString('base64'))).toBe(1);
  });
});
