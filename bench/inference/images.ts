import sharp from 'sharp';

export interface Picture {
  readonly name: 'jpeg' | 'png';
  readonly bytes: Buffer;
}

/** A 1920x1080 picture with what photographs and screens have: gradients, fine grain, edges and text. */
export async function pictures(): Promise<readonly Picture[]> {
  const [width, height] = [1920, 1080];
  const pixels = Buffer.alloc(width * height * 3);
  let seed = 1;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      // Grain on a quarter alone, as a photograph among flat windows.
      const grain = x < width / 4 ? (seed >>> 28) - 8 : 0;
      const edge = ((x >> 6) + (y >> 6)) % 5 === 0 ? 40 : 0;
      pixels[at++] = clamp((x * 255) / width + grain);
      pixels[at++] = clamp((y * 255) / height + grain + edge);
      pixels[at++] = clamp(128 + 100 * Math.sin((x + y) / 90) + grain);
    }
  }
  const lines = Array.from(
    { length: 30 },
    (_, line) =>
      `<text x="1000" y="${60 + line * 34}" font-size="${14 + (line % 4) * 4}" fill="#111">The quick brown fox reads line ${line} of this window</text>`,
  );
  const overlay = Buffer.from(`<svg width="${width}" height="${height}">${lines.join('')}</svg>`);
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } })
    .composite([{ input: overlay }])
    .removeAlpha();
  return [
    { name: 'jpeg', bytes: await picture.clone().jpeg({ quality: 90 }).toBuffer() },
    { name: 'png', bytes: await picture.clone().png({ compressionLevel: 6 }).toBuffer() },
  ];
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
