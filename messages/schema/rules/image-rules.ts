import type {
  Base64ImageSource,
  ContentBlockParam,
  ImageDimensionsTooLargeErrorDetails,
  MessageParam,
} from '../../api-types.ts';
import { InvalidRequest } from '../../errors.ts';
import { readImageInfo, type ImageInfo } from '../../tokens/image-info.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_SIDE = 8000;
/** From this many pictures in one request on, each must be smaller. */
const MANY = 20;
const MAX_SIDE_OF_MANY = 2000;

/** Whether the text is base64 and nothing else. A decoder skips what it does not know, so something is then missing. */
function isBase64(data: string, bytes: number): boolean {
  const foreign = data.includes('-') || data.includes('_');
  return bytes > 0 && data.length % 4 === 0 && !foreign && Buffer.from(data, 'base64').length === bytes;
}

interface PlacedImage {
  readonly path: string;
  readonly source: Base64ImageSource;
}

function imagesIn(block: ContentBlockParam, path: string): PlacedImage[] {
  if (block.type === 'image') {
    return block.source.type === 'base64'
      ? [{ path: `${path}.image.source.base64`, source: block.source }]
      : [];
  }
  if (block.type !== 'tool_result' || typeof block.content !== 'object') return [];
  return block.content.flatMap((part, index) =>
    part.type === 'image' ? imagesIn(part, `${path}.tool_result.content.${index}`) : [],
  );
}

function checkImage({ path, source }: PlacedImage): ImageInfo {
  const bytes = Buffer.byteLength(source.data, 'base64');
  if (bytes > MAX_BYTES) {
    throw new InvalidRequest(`${path}: image exceeds 5 MB maximum: ${bytes} bytes > ${MAX_BYTES} bytes`);
  }
  if (!isBase64(source.data, bytes)) throw new InvalidRequest(`${path}: invalid base64 data`);
  const info = readImageInfo(source.data);
  if (info === null) throw new InvalidRequest(`${path}.data: Could not process image`);
  if (info.mediaType !== source.media_type) {
    throw new InvalidRequest(
      `${path}: The image was specified using the ${source.media_type} media type, but the image appears to be a ` +
        `${info.mediaType} image`,
    );
  }
  return info;
}

/** The SDK's clients find in the details which pictures to scale, and to what. */
function checkSides(images: readonly PlacedImage[], infos: readonly ImageInfo[]): void {
  const many = images.length > MANY;
  const limit = many ? MAX_SIDE_OF_MANY : MAX_SIDE;
  const large = images.filter((_image, index) => {
    const { width = 0, height = 0 } = infos[index] ?? {};
    return Math.max(width, height) > limit;
  });
  const [first] = large;
  if (first === undefined) return;
  const details: ImageDimensionsTooLargeErrorDetails = {
    error_code: 'image_dimensions_too_large',
    max_side_length_pixels: limit,
    paths: large.map(({ path }) => path.replaceAll(/\.(image\.source\.base64|tool_result)/g, '')),
  };
  throw new InvalidRequest(
    `${first.path}.data: At least one of the image dimensions exceed max allowed size` +
      `${many ? ' for many-image requests' : ''}: ${limit} pixels`,
    details,
  );
}

/** Pictures sent as bytes are what they say, and no larger than the API takes. */
export function checkImages(messages: readonly MessageParam[]): void {
  const images = messages.flatMap(({ content }, index) =>
    typeof content === 'object'
      ? content.flatMap((block, place) =>
          imagesIn(block as ContentBlockParam, `messages.${index}.content.${place}`),
        )
      : [],
  );
  checkSides(images, images.map(checkImage));
}
