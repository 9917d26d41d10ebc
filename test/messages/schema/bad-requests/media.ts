import { jpeg, png } from '../../support.ts';
import {
  answered,
  bad,
  type BadRequest,
  base64,
  content,
  image,
  messages,
  picture,
  result,
  used,
} from './bad-request.ts';
import { fromUser } from '../../../support/blocks.ts';

const note = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } };
const pdf = (bytes: string): object => ({
  type: 'document',
  source: base64(Buffer.from(bytes).toString('base64'), 'application/pdf'),
});

/** Pictures and documents. */
export const MEDIA: readonly BadRequest[] = [
  bad(
    'an unknown picture source',
    image({ type: 'ftp' }),
    "messages.0.content.0.image.source: Input tag 'ftp' found using 'type' does not match any of the expected tags: 'base64', 'file', 'url'",
  ),
  bad(
    'an unknown picture format',
    image(base64(png(1, 1), 'image/tiff')),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ),
  bad(
    'a picture without data',
    image({ type: 'base64', media_type: 'image/png' }),
    'messages.0.content.0.image.source.base64.data: Field required',
  ),
  bad(
    'base64 that is none',
    image(base64('not base64!')),
    'messages.0.content.0.image.source.base64: invalid base64 data',
  ),
  bad(
    'base64 for addresses',
    image(base64(`${png(1, 1).slice(0, -4)}-_-_`)),
    'messages.0.content.0.image.source.base64: invalid base64 data',
  ),
  bad(
    'base64 with a line end in it',
    image(base64(`${png(1, 1).slice(0, -4)}\n\n\n\n`)),
    'messages.0.content.0.image.source.base64: invalid base64 data',
  ),
  bad(
    'bytes that are no picture',
    image(base64('aGVsbG8gd29ybGQh')),
    'messages.0.content.0.image.source.base64.data: Could not process image',
  ),
  bad(
    'a picture of another format',
    image(base64(jpeg(4, 4))),
    'messages.0.content.0.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
  ),
  bad(
    'a picture too large',
    image(base64(png(9, 9, 3_932_161))),
    'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes',
  ),
  bad(
    'a picture too wide',
    image(base64(png(8001, 5))),
    'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
  ),
  bad(
    'a wide one of many pictures',
    content(...Array.from({ length: 21 }, () => ({ type: 'image', source: base64(png(2001, 5)) }))),
    'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
  ),
  bad(
    'a bad picture in a result',
    messages(used, fromUser([result('toolu_1', { content: [{ type: 'image', source: base64('AAAA') }] })])),
    'messages.2.content.0.tool_result.content.0.image.source.base64.data: Could not process image',
  ),
  bad(
    'a document that is no PDF',
    content({ type: 'document', source: { type: 'base64', media_type: 'text/html', data: 'AAAA' } }),
    "messages.0.content.0.document.source.base64.media_type: Input should be 'application/pdf'",
  ),

  bad(
    'a picture of nothing',
    image(base64('')),
    'messages.0.content.0.image.source.base64: image cannot be empty',
    { seen: 'anthropics/claude-code#12750' },
  ),
  bad(
    'a data URL',
    image(base64(`data:image/png;base64,${png(1, 1)}`)),
    'messages.0.content.0.image.source.base64: invalid base64 data; send what follows the comma of a data URL',
  ),
  bad(
    'base64 with its padding in the midst',
    image(base64(`${png(1, 1)}AA==${png(1, 1)}`)),
    'messages.0.content.0.image.source.base64: invalid base64 data',
  ),
  bad(
    'a picture without width',
    image(base64(png(0, 5))),
    'messages.0.content.0.image.source.base64.data: Could not process image',
  ),
  bad(
    'a JPEG that is cut',
    image(base64(jpeg(4, 4).slice(0, 12), 'image/jpeg')),
    'messages.0.content.0.image.source.base64.data: Could not process image',
  ),
  bad(
    'an address that is empty',
    image({ type: 'url', url: '' }),
    'messages.0.content.0.image.source.url.url: String should have at least 1 character',
  ),
  bad(
    'a file without its id',
    image({ type: 'file' }),
    'messages.0.content.0.image.source.file.file_id: Field required',
  ),
  bad(
    'a picture without a source',
    content({ type: 'image' }),
    'messages.0.content.0.image.source: Field required',
  ),
  bad(
    'a transformation of an unknown kind',
    content({ ...picture(1, 1), transformations: { oversized_image: 'crop' } }),
    "messages.0.content.0.image.transformations.oversized_image: Input should be 'downsize' or 'error'",
  ),
  bad(
    'a picture too large in a result',
    answered(
      result('toolu_1', {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', source: base64(png(9, 9, 3_932_163)) },
        ],
      }),
    ),
    'messages.2.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes',
    { seen: 'earendil-works/pi#424' },
  ),
  bad(
    'a picture too wide in a document',
    content({ type: 'document', source: { type: 'content', content: [picture(8001, 1)] } }),
    'messages.0.content.0.document.source.content.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
  ),
  bad(
    '601 pictures',
    content(...Array.from({ length: 601 }, () => picture(1, 1))),
    'too many images and documents: 601 + 0 > 600',
    { seen: 'anthropics/claude-code#23392' },
  ),
  bad(
    '101 of both for a model of 200,000 tokens',
    { model: 'claude-haiku-4-5', ...content(...Array.from({ length: 100 }, () => picture(1, 1)), note) },
    'too many images and documents: 100 + 1 > 100',
    { seen: 'anthropics/claude-code#23392' },
  ),
  bad(
    'a PDF that is none',
    content(pdf('hello')),
    'messages.0.content.0.pdf.source.base64.data: The PDF specified was not valid.',
    { seen: 'anthropics/claude-code#5174' },
  ),
  bad(
    'a PDF behind a lock',
    content(pdf('%PDF-1.7 << /Encrypt 5 0 R >>')),
    'messages.0.content.0.pdf.source.base64.data: The PDF specified is password protected.',
  ),
  bad(
    'a PDF that is no base64',
    content({ type: 'document', source: base64('%PDF', 'application/pdf') }),
    'messages.0.content.0.pdf.source.base64.data: invalid base64 data',
  ),
  bad(
    '101 pages for a model of 200,000 tokens',
    {
      model: 'claude-3-5-sonnet-20241022',
      ...content(pdf(`%PDF-1.4 /Type /Pages ${'/Type /Page '.repeat(101)}`)),
    },
    'messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided.',
    { seen: 'anthropics/claude-code#6231' },
  ),
  bad(
    '601 pages in two PDFs',
    content(pdf(`%PDF-1.4${'/Type/Page '.repeat(600)}`), pdf('%PDF-1.4 /Type /Page')),
    'messages.0.content.1.pdf.source.base64.data: A maximum of 600 PDF pages may be provided.',
  ),
  bad(
    'a text document of another type',
    content({ type: 'document', source: { type: 'text', media_type: 'text/html', data: 'x' } }),
    "messages.0.content.0.document.source.text.media_type: Input should be 'text/plain'",
  ),
  bad(
    'a document with an odd title',
    content({ ...note, title: 7 }),
    'messages.0.content.0.document.title: Input should be a valid string',
  ),
  bad(
    'a search result without a title',
    content({ type: 'search_result', source: 'a', content: [] }),
    'messages.0.content.0.search_result.title: Field required',
  ),
];
