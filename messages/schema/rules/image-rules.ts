import { InvalidRequestError } from '@steadyhand/contracts';
import type {
  Base64ImageSource,
  ImageDimensionsTooLargeErrorDetails,
  MessageParam,
} from '../../api/api-types.ts';
import { readImageInfo, type ImageInfo } from '../../tokens/image-info.ts';
import { MANY_EDGE, MANY_PICTURES } from '../../models/image-limits.ts';
import { claudeModel } from '../../models/model-name.ts';
import { isBase64 } from './base64-text.ts';
import { checkPdf, MAX_PAGES_OF_SMALL } from './pdf-rules.ts';
import { mediaOf, type PlacedMedia } from './placed-media.ts';

/** The limit applies to the base64 text: the sizes in the API's own errors are all multiples of four. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SIDE = 8000;
/** The limit for pictures and documents, and for pages of PDFs, of models with a large context. */
const MAX_MEDIA = 600;
/** The first models with a context of a million tokens: 4.6. */
const LARGE_CONTEXT = 406;

/** The number of pictures and documents, or of pages, that a model takes in one request. */
function mediaLimit(model: string): number {
  const claude = claudeModel(model);
  return claude !== null && claude.version < LARGE_CONTEXT ? MAX_PAGES_OF_SMALL : MAX_MEDIA;
}

interface PlacedImage {
  readonly path: string;
  readonly source: Base64ImageSource;
}

function sentImages(media: readonly PlacedMedia[]): PlacedImage[] {
  return media.flatMap(({ path, block }) =>
    block.type === 'image' && block.source.type === 'base64'
      ? [{ path: `${path}.source.base64`, source: block.source }]
      : [],
  );
}

function checkCount(media: readonly PlacedMedia[], limit: number): void {
  const images = media.filter(({ block }) => block.type === 'image').length;
  const documents = media.length - images;
  if (media.length > limit) {
    throw new InvalidRequestError(`too many images and documents: ${images} + ${documents} > ${limit}`);
  }
}

function checkImage({ path, source: { data, media_type: told } }: PlacedImage): ImageInfo {
  if (data === '') throw new InvalidRequestError(`${path}: image cannot be empty`);
  if (data.length > MAX_BYTES) {
    throw new InvalidRequestError(
      `${path}: image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_BYTES} bytes`,
    );
  }
  if (!isBase64(data)) {
    const hint = data.startsWith('data:') ? '; send what follows the comma of a data URL' : '';
    throw new InvalidRequestError(`${path}: invalid base64 data${hint}`);
  }
  const info = readImageInfo(data);
  if (info === null || info.width === 0 || info.height === 0) {
    throw new InvalidRequestError(`${path}.data: Could not process image`);
  }
  if (info.mediaType !== told) {
    throw new InvalidRequestError(
      `${path}: The image was specified using the ${told} media type, but the image appears to be a ` +
        `${info.mediaType} image`,
    );
  }
  return info;
}

/** The details tell the SDK's clients which pictures to scale, and to which size. */
function checkSides(images: readonly PlacedImage[], infos: readonly ImageInfo[], many: boolean): void {
  const limit = many ? MANY_EDGE : MAX_SIDE;
  const large = images.filter((_image, index) => {
    const { width = 0, height = 0 } = infos[index] ?? {};
    return Math.max(width, height) > limit;
  });
  const [first] = large;
  if (first === undefined) return;
  const details: ImageDimensionsTooLargeErrorDetails = {
    error_code: 'image_dimensions_too_large',
    max_side_length_pixels: limit,
    paths: large.map(({ path }) =>
      path.replaceAll(/\.(image\.source\.base64|tool_result|document\.source\.content)/g, ''),
    ),
  };
  throw new InvalidRequestError(
    `${first.path}.data: At least one of the image dimensions exceed max allowed size` +
      `${many ? ' for many-image requests' : ''}: ${limit} pixels`,
    details,
  );
}

/** Checks that pictures and PDFs in base64 have their declared type and keep the API's limits of size and number. */
export function checkImages(messages: readonly MessageParam[], model: string): void {
  const media = mediaOf(messages);
  const limit = mediaLimit(model);
  checkCount(media, limit);
  const images = sentImages(media);
  const count = media.filter(({ block }) => block.type === 'image').length;
  checkSides(images, images.map(checkImage), count > MANY_PICTURES);
  let pages = 0;
  for (const { path, block } of media) {
    if (block.type === 'document' && block.source.type === 'base64') {
      pages += checkPdf(block.source.data, path, limit - pages, limit);
    }
  }
}
