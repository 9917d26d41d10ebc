import {
  type ContentBlockParam,
  type FileContents,
  type ModelRequest,
  resolveFiles,
} from '../../messages/index.ts';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import { modelRequest, png } from './support.ts';
import { toolResult } from '../support/blocks.ts';

const PNG = png(640, 480);

interface Held {
  readonly mime_type: string;
  readonly bytes: Buffer;
}

/** Files in memory, and which of them were read. */
function holding(held: Readonly<Record<string, Held>>): FileContents & { readonly reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    async describe(id) {
      const file = held[id];
      if (file === undefined) throw new ApiError('not_found_error', `File \`${id}\` not found.`);
      return { mime_type: file.mime_type, size_bytes: file.bytes.length };
    },
    async read(id) {
      reads.push(id);
      return held[id]?.bytes ?? Buffer.alloc(0);
    },
  };
}

const files = holding({
  file_png: { mime_type: 'image/png', bytes: Buffer.from(PNG, 'base64') },
  file_pdf: { mime_type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') },
  file_text: { mime_type: 'text/plain', bytes: Buffer.from('\ufeffGrüße 👋') },
  file_markdown: { mime_type: 'text/markdown', bytes: Buffer.from('# Title') },
  file_latin1: { mime_type: 'text/plain', bytes: Buffer.from('Grüße', 'latin1') },
  file_zip: { mime_type: 'application/zip', bytes: Buffer.from('PK') },
  file_jpeg: { mime_type: 'image/jpeg', bytes: Buffer.from(PNG, 'base64') },
  file_large: { mime_type: 'application/pdf', bytes: Buffer.alloc(20 * 1024 * 1024).fill('%PDF-1.7', 0, 8) },
  file_broken: { mime_type: 'image/png', bytes: Buffer.from('no picture') },
});
beforeEach(() => {
  files.reads.length = 0;
});

const image = (file_id: string): ContentBlockParam => ({ type: 'image', source: { type: 'file', file_id } });
const document = (file_id: string): ContentBlockParam => ({
  type: 'document',
  source: { type: 'file', file_id },
});
const asks = (...content: ContentBlockParam[]): ModelRequest =>
  modelRequest({
    messages: [
      { role: 'user', content: 'first' },
      { role: 'user', content },
    ],
  });
const resolved = async (...content: ContentBlockParam[]): Promise<unknown> =>
  (await resolveFiles(asks(...content), files)).messages[1]?.content;

const PICTURE = { type: 'base64', media_type: 'image/png', data: PNG };

it('gives a request without files back as it is', async () => {
  const request = asks(
    { type: 'text', text: 'hello' },
    { type: 'image', source: { type: 'url', url: 'https://a/b.png' } },
  );
  expect(await resolveFiles(request, files)).toBe(request);
});

it('puts pictures, PDFs and texts where their ids were', async () => {
  expect(
    await resolved(
      { type: 'text', text: 'look' },
      { ...image('file_png'), cache_control: { type: 'ephemeral' } } as ContentBlockParam,
      { ...document('file_pdf'), title: 'A title', citations: { enabled: true } } as ContentBlockParam,
      document('file_text'),
      document('file_markdown'),
    ),
  ).toEqual([
    { type: 'text', text: 'look' },
    { type: 'image', source: PICTURE, cache_control: { type: 'ephemeral' } },
    {
      type: 'document',
      source: {
        type: 'base64',
        media_type: 'application/pdf',
        data: Buffer.from('%PDF-1.7').toString('base64'),
      },
      title: 'A title',
      citations: { enabled: true },
    },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße 👋' } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Title' } },
  ]);
});

it('looks into tool results and into documents of blocks', async () => {
  expect(
    await resolved(
      toolResult('toolu_1', [image('file_png') as never, { type: 'text', text: 'x' }]),
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'text' },
      { type: 'document', source: { type: 'content', content: [image('file_png') as never] } },
    ),
  ).toEqual([
    toolResult('toolu_1', [
      { type: 'image', source: PICTURE },
      { type: 'text', text: 'x' },
    ]),
    { type: 'tool_result', tool_use_id: 'toolu_2', content: 'text' },
    { type: 'document', source: { type: 'content', content: [{ type: 'image', source: PICTURE }] } },
  ]);
});

it('reads a file once, however often it is named, and leaves the request alone', async () => {
  const request = asks(image('file_png'), image('file_png'));
  const before = structuredClone(request);
  await resolveFiles(request, files);
  expect(files.reads).toEqual(['file_png']);
  expect(request).toEqual(before);
});

describe('refuses, before anything is read,', () => {
  it.each([
    ['an unknown file', document('file_x'), 'not_found_error', 'File `file_x` not found.'],
    [
      'a text as a picture',
      image('file_text'),
      'invalid_request_error',
      'messages.1.content.1.image.source.file.file_id: file_text is text/plain; a block of type image takes image/jpeg, ' +
        'image/png, image/gif, image/webp',
    ],
    [
      'a picture as a document',
      document('file_png'),
      'invalid_request_error',
      'messages.1.content.1.document.source.file.file_id: file_png is image/png; a block of type document takes ' +
        'application/pdf or text',
    ],
    [
      'an archive',
      toolResult('t', [document('file_zip') as never]) as ContentBlockParam,
      'invalid_request_error',
      'messages.1.content.1.tool_result.content.0.document.source.file.file_id: file_zip is application/zip; a block of ' +
        'type document takes application/pdf or text',
    ],
  ])('%s', async (_what, block, type, message) => {
    await expect(resolved(image('file_png'), block)).rejects.toMatchObject({ type, message });
    expect(files.reads).toEqual([]);
  });

  it('more than 32 MB, counting what is named twice as often', async () => {
    expect(await resolved(document('file_large'))).toHaveLength(1);
    files.reads.length = 0;
    await expect(resolved(document('file_large'), document('file_large'))).rejects.toMatchObject({
      type: 'request_too_large',
      status: 413,
      message: 'The files of the request exceed the maximum size of 33554432 bytes: 41943040 bytes',
    });
    expect(files.reads).toEqual([]);
  });
});

it.each([
  [
    'a picture of another type',
    'file_jpeg',
    /The image was specified using the image\/jpeg media type, but the image appears/,
  ],
  ['no picture', 'file_broken', /Could not process image/],
])('refuses what the bytes show: %s', async (_what, id, message) => {
  const refused = resolved(image(id));
  await expect(refused).rejects.toThrow(InvalidRequestError);
  await expect(refused).rejects.toThrow(message);
});

it('refuses more pages than the model takes', async () => {
  const pages = Buffer.from(`%PDF-1.7${' /Type /Page '.repeat(101)}`);
  const long = holding({ file_long: { mime_type: 'application/pdf', bytes: pages } });
  const request = asks(document('file_long'));
  await expect(resolveFiles({ ...request, model: 'claude-sonnet-4-5' }, long)).rejects.toThrow(
    'A maximum of 100 PDF pages may be provided.',
  );
  await expect(resolveFiles({ ...request, model: 'claude-opus-4-6' }, long)).resolves.toBeDefined();
});

it('refuses a text that is none', async () => {
  await expect(resolved(document('file_latin1'))).rejects.toThrow(
    'messages.1.content.0.document.source.file.file_id: file_latin1 is text/plain, but its bytes are not UTF-8',
  );
});
