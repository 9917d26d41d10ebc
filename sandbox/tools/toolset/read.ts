import { pictureHeader, type PictureHeader } from '../../picture-header.ts';
import type { ToolOutput } from '../tool.ts';
import type { ToolsetInput } from './fields.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';

/** The most bytes of text that one call returns. */
const MOST_TEXT_BYTES = 256 * 1024;
/** The limits of models: 5 MB as base64, and pixels of each side. */
const MOST_PICTURE_BYTES = 3_750_000;
const MOST_PIXELS = 8000;

/** `read` returns a text file or lines of it, or a picture as a picture. */
export function readTool({ files }: Pick<ToolsetGuest, 'files'>): ToolsetTool {
  return async (input) => {
    const path = input.path('file_path');
    const range = input.pair('view_range', '[start_line, end_line], two whole numbers');
    const bytes = await regularFile(files, path, input);
    const picture = pictureHeader(bytes);
    if (picture !== null) return pictureOutput(bytes, picture, { path, input });
    if (bytes.subarray(0, 5).toString('latin1') === '%PDF-')
      throw input.fault(`${path} is a PDF document; read its text with bash: pdftotext -layout FILE -`);
    if (bytes.subarray(0, 8192).includes(0))
      throw input.fault(`${path} is a binary file of ${bytes.length} bytes; look into it with bash`);
    const chosen = range === undefined ? bytes : linesOf(bytes, range);
    if (chosen.length > MOST_TEXT_BYTES) throw tooLong(input, { path, bytes, range });
    // Bytes that are not UTF-8 are shown as U+FFFD.
    return { output: chosen.toString('utf8') };
  };
}

/** Reads a regular file. Its kind is determined before it is opened, because a FIFO must not block. */
export async function regularFile(
  files: ToolsetGuest['files'],
  path: string,
  input: ToolsetInput,
): Promise<Buffer> {
  try {
    const found = await files.stat(path);
    if (found !== null && found.kind !== 'file') throw input.fault(`${path} is not a regular file`);
    const bytes = await files.read(path);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (error) {
    throw input.fileFault(error, path);
  }
}

/**
 * Returns lines counted from 1, both included, without the end of the last one. An end of 0 or less means the file's
 * end.
 */
function linesOf(bytes: Buffer, [first, last]: readonly [number, number]): Buffer {
  const from = first <= 1 ? 0 : endOfLine(bytes, first - 1) + 1;
  const end = last <= 0 ? bytes.length : endOfLine(bytes, last);
  return from >= end ? Buffer.alloc(0) : bytes.subarray(from, end);
}

/** Returns the position of the line's newline, or the end of the file for a line without one. */
function endOfLine(bytes: Buffer, line: number): number {
  let end = bytes.indexOf(0x0a);
  for (let number = 1; number < line && end !== -1; number += 1) end = bytes.indexOf(0x0a, end + 1);
  return end === -1 ? bytes.length : end;
}

function tooLong(
  input: ToolsetInput,
  { path, bytes, range }: { path: string; bytes: Buffer; range: readonly [number, number] | undefined },
): unknown {
  const limit = `the limit of ${MOST_TEXT_BYTES} bytes`;
  if (range === undefined)
    return input.fault(
      `${path} has ${bytes.length} bytes, more than ${limit}. Read a part of it with view_range, e.g. view_range: [1, 500].`,
    );
  return input.fault(
    `the lines [${range.join(', ')}] of ${path} have more bytes than ${limit}. Narrow the view_range, or cut lines with bash.`,
  );
}

function pictureOutput(
  bytes: Buffer,
  { type, size }: PictureHeader,
  { path, input }: { readonly path: string; readonly input: ToolsetInput },
): ToolOutput {
  if (bytes.length > MOST_PICTURE_BYTES)
    throw input.fault(
      `${path} is a picture of ${bytes.length} bytes; at most ${MOST_PICTURE_BYTES} can be shown. Make it smaller first.`,
    );
  if (size === null) throw input.fault(`${path} begins like a picture (${type}) and is none`);
  if (Math.max(size.width, size.height) > MOST_PIXELS || Math.min(size.width, size.height) < 1)
    throw input.fault(
      `${path} is a picture of ${size.width} x ${size.height} pixels; a side has 1 to ${MOST_PIXELS}. Make it smaller first.`,
    );
  return { image: bytes, imageType: type };
}
