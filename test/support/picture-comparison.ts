import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

/** A cell is so many pixels wide and high: letters and small shifts of a rendering are averaged out in it. */
const CELL = 8;
/** How far a cell's colour may be off, in steps of a channel. */
const CELL_TOLERANCE = 20;
/** The share of cells that may be off: times, ids and another release of the browser's fonts. */
const SHARE_TOLERANCE = 0.02;
/** Kept pictures are so much smaller than the page. */
const KEPT_SCALE = 0.5;

interface Cells {
  readonly width: number;
  readonly height: number;
  readonly data: Buffer;
}

/** What a picture of a page differs by from the one that is kept of it. */
export interface Comparison {
  /** The sizes in pixels of the page. */
  readonly size: readonly [number, number];
  readonly keptSize: readonly [number, number];
  /** The share of cells, of 8x8 pixels each, that are off. */
  readonly share: number;
}

/** How the picture differs from the kept one, if it does; what was seen is left beside it then. UPDATE_PICTURES=1 keeps it instead. */
export async function pictureFault(picture: Buffer, file: string): Promise<string | undefined> {
  const seen = file.replace(/\.png$/, '.seen.png');
  if (process.env['UPDATE_PICTURES'] === '1') {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, await kept(picture));
    return undefined;
  }
  const { size, keptSize, share } = await comparePictures(picture, fs.readFileSync(file));
  if (size.join('x') === keptSize.join('x') && share <= SHARE_TOLERANCE) return undefined;
  fs.writeFileSync(seen, picture);
  return (
    `${path.basename(file)}: ${(share * 100).toFixed(1)} % of it looks otherwise (size ${size.join('x')}, kept ${keptSize.join('x')}). ` +
    `What was seen is ${path.relative(process.cwd(), seen)}; UPDATE_PICTURES=1 keeps it instead.`
  );
}

export async function comparePictures(picture: Buffer, keptPicture: Buffer): Promise<Comparison> {
  const [now, before] = await Promise.all([
    cells(await kept(picture), CELL * KEPT_SCALE),
    cells(keptPicture, CELL * KEPT_SCALE),
  ]);
  const size = [now.width * CELL, now.height * CELL] as const;
  const keptSize = [before.width * CELL, before.height * CELL] as const;
  if (now.data.length !== before.data.length) return { size, keptSize, share: 1 };
  let off = 0;
  for (let cell = 0; cell < now.data.length; cell += 3) {
    const most = Math.max(
      ...[0, 1, 2].map((channel) =>
        Math.abs((now.data[cell + channel] ?? 0) - (before.data[cell + channel] ?? 0)),
      ),
    );
    if (most > CELL_TOLERANCE) off += 1;
  }
  return { size, keptSize, share: off / (now.data.length / 3) };
}

/** As it is kept: half the size, few colours. */
async function kept(picture: Buffer): Promise<Buffer> {
  const { width } = await sharp(picture).metadata();
  return await sharp(picture)
    .resize({ width: Math.round(width * KEPT_SCALE) })
    .removeAlpha()
    .png({ palette: true, colours: 64, dither: 0, effort: 10 })
    .toBuffer();
}

async function cells(picture: Buffer, size: number): Promise<Cells> {
  const { width, height } = await sharp(picture).metadata();
  const { data, info } = await sharp(picture)
    .resize(Math.round(width / size), Math.round(height / size), { fit: 'fill', kernel: 'linear' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}
