import { deflateSync } from 'node:zlib';
import { crc32 } from '../../../messages/providers/anthropic/crc32.ts';

/** A PNG chunk with its length and check sum. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** IHDR of 8 bit RGB. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 2;
  return chunk('IHDR', header);
}

/** A PNG of 8 bit RGB whose pixels are all black, whatever its header says. */
export function blackPng(width: number, height: number, options: { readonly before?: Uint8Array; readonly rows?: number } = {}): Buffer {
  const data = deflateSync(Buffer.alloc((options.rows ?? height) * (width * 3 + 1)));
  return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), options.before ?? Buffer.alloc(0), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
} // prettier-ignore

function segment(marker: number, data: readonly number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data]);
}

function entropy(bits: string): Buffer {
  const padded = bits + '1'.repeat((8 - (bits.length % 8)) % 8);
  const bytes = (padded.match(/.{8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte, 2);
    return value === 0xff ? [0xff, 0] : [value];
  });
  return Buffer.from(bytes);
}

/**
 * A valid grey progressive JPEG whose scans change nothing. A decoder has to visit every block of the picture for each
 * scan, which takes a hundred bytes of the file.
 */
export function scanBomb(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  let empty = '';
  for (let left = blocks; left > 0;) {
    const run = left >= 16_384 ? Math.min(left, 32_767) : 1;
    empty += run === 1 ? '10' : `0${(run - 16_384).toString(2).padStart(14, '0')}`;
    left -= run;
  }
  const nothing = entropy(empty);
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(0xc2, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    // Huffman codes: `0` for a DC difference of 0; `0` for a run of 2^14 and more blocks to skip, `10` for one
    segment(0xc4, [0x00, 1, ...Array.from({ length: 15 }, () => 0), 0x00]),
    segment(0xc4, [0x10, 1, 1, ...Array.from({ length: 14 }, () => 0), 0xe0, 0x00]),
    segment(0xda, [1, 1, 0x00, 0, 0, 0]),
    Buffer.concat([Buffer.alloc(blocks >> 3), entropy('0'.repeat(blocks & 7))]),
  ];
  let made = 1;
  for (let bit = 13; bit >= 0; bit -= 1)
    for (let k = 1; k < 64 && made < scans; k += 1) {
      parts.push(segment(0xda, [1, 1, 0x00, k, k, bit === 13 ? bit : ((bit + 1) << 4) | bit]), nothing);
      made += 1;
    }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}
