/**
 * Makes the screens of test/inference/ocr/screens anew, with what is written on them:
 *
 *   node test/oracle/ocr-screens/main.mjs [folder] [--seed 5] [--fonts dejavu|liberation|noto|urw] [--no-desktop]
 *
 * Pages are drawn by chromium, which also tells where each word stands; windows of real programs by Xvfb with openbox.
 * Writes <name>.png and <name>.json: {"words": [{"text", "box", "size", "ink"}]}: box and ink height in pixels, size in
 * px of the font. Words of the desktop's programs have no box: what is known is what was written to them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { shootDesktops } from './desktop.mjs';
import { pages } from './pages.mjs';
import { textSource } from './words.mjs';
import { wordsOf } from './word-boxes.mjs';

const fonts = {
  dejavu: { sans: 'DejaVu Sans', serif: 'DejaVu Serif', mono: 'DejaVu Sans Mono' },
  liberation: { sans: 'Liberation Sans', serif: 'Liberation Serif', mono: 'Liberation Mono' },
  noto: { sans: 'Noto Sans', serif: 'Noto Serif', mono: 'Noto Sans Mono' },
  urw: { sans: 'Nimbus Sans', serif: 'C059', mono: 'Nimbus Mono PS' },
  roboto: { sans: 'Roboto', serif: 'Roboto Slab', mono: 'DejaVu Sans Mono' },
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '5' },
    fonts: { type: 'string', default: 'dejavu' },
    'no-desktop': { type: 'boolean', default: false },
  },
});
const folder = positionals[0] ?? 'test/inference/ocr/screens';
mkdirSync(folder, { recursive: true });

/** Few colours make small files, many stay: no pixel changes. */
async function write(name, png, words) {
  const out = await sharp(png).removeAlpha().png({ compressionLevel: 9, effort: 10 }).toBuffer();
  writeFileSync(join(folder, `${name}.png`), out);
  writeFileSync(
    join(folder, `${name}.json`),
    `{"words":[\n${words.map((word) => JSON.stringify(word)).join(',\n')}\n]}\n`,
  );
  console.log(name, words.length, 'words', out.length, 'bytes');
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const tab = await browser.newPage({ viewport: { width: 1024, height: 768 } });
  for (const [index, [name, make]] of Object.entries(pages).entries()) {
    await tab.setContent(make(textSource(Number(values.seed) * 1000 + index), fonts[values.fonts]));
    await tab.evaluate(() => document.fonts.ready);
    await write(name, await tab.screenshot(), await tab.evaluate(wordsOf));
  }
} finally {
  await browser.close();
}
if (!values['no-desktop']) {
  for (const { name, png, words } of await shootDesktops(textSource(Number(values.seed) * 1000 + 900))) {
    await write(name, png, words);
  }
}
