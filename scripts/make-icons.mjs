/** `node scripts/make-icons.mjs`: draws the icons that browsers and phones ask for by name from static/icon.svg. */
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from './lib/root.mjs';

const svg = fs.readFileSync(path.join(root, 'static/icon.svg'), 'utf8');

/** @type {(source: string, size: number) => Promise<Buffer>} */
function png(source, size) {
  return sharp(Buffer.from(source), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/**
 * An icon file of several sizes: a directory with 16 bytes for each entry, then the PNG files as they are.
 * @param {readonly { readonly size: number, readonly bytes: Buffer }[]} pictures
 */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ size, bytes }, index) => {
    const entry = 6 + 16 * index;
    head.writeUInt8(size, entry);
    head.writeUInt8(size, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(bytes.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += bytes.length;
  });
  return Buffer.concat([head, ...pictures.map(({ bytes }) => bytes)]);
}

const pictures = await Promise.all([16, 32, 48].map(async (size) => ({ size, bytes: await png(svg, size) })));
fs.writeFileSync(path.join(root, 'static/favicon.ico'), ico(pictures));
// A phone cuts the corners itself, and shows what is transparent as black.
fs.writeFileSync(path.join(root, 'static/apple-touch-icon.png'), await png(svg.replace(' rx="8"', ''), 180));
