import { InvalidRequestError } from '@steadyhand/contracts';
import { isBase64 } from './base64-text.ts';

/** The limit for pages of all PDFs in a request to a model with a context of 200,000 tokens. */
export const MAX_PAGES_OF_SMALL = 100;

/** Some programs put a few other bytes before the header. */
const HEADER_BYTES = 1024;

/** Counts the page objects that are not compressed. Those in compressed streams are left to the model. */
function visiblePages(bytes: Buffer, most: number): number {
  let pages = 0;
  for (let at = bytes.indexOf('/Type'); at !== -1 && pages <= most; at = bytes.indexOf('/Type', at + 5)) {
    if (/^\/Type\s*\/Page(?![a-zA-Z])/.test(bytes.toString('latin1', at, at + 24))) pages += 1;
  }
  return pages;
}

/**
 * Checks a PDF in base64 and returns its number of visible pages.
 *
 * @param path the path of its block
 * @param left the number of pages that it may have, of the `limit` for the whole request
 */
export function checkPdf(data: string, path: string, left: number, limit: number): number {
  // The API's paths name the block `pdf` here.
  const place = `${path.replace(/document$/, 'pdf')}.source.base64.data`;
  if (!isBase64(data)) throw new InvalidRequestError(`${place}: invalid base64 data`);
  const bytes = Buffer.from(data, 'base64');
  if (!bytes.subarray(0, HEADER_BYTES).includes('%PDF-')) {
    throw new InvalidRequestError(`${place}: The PDF specified was not valid.`);
  }
  if (bytes.includes('/Encrypt')) {
    throw new InvalidRequestError(`${place}: The PDF specified is password protected.`);
  }
  const pages = visiblePages(bytes, left);
  if (pages > left)
    throw new InvalidRequestError(`${place}: A maximum of ${limit} PDF pages may be provided.`);
  return pages;
}
