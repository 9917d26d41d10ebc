import { assertProperty, fc } from '../../support/fast-check.ts';
import sharp from 'sharp';
import { readImageInfo } from '../../../messages/index.ts';
import { imageTokens, maxImageTokens } from '../../../messages/tokens/image-tokens.ts';

describe('the header of a picture', () => {
  const picture = sharp({ create: { width: 345, height: 219, channels: 3, background: '#3366cc' } });
  const size = { width: 345, height: 219 };

  it.each([
    ['image/png', () => picture.clone().png()],
    ['image/jpeg', () => picture.clone().jpeg()],
    ['image/jpeg', () => picture.clone().jpeg({ progressive: true }).withMetadata({ density: 300 })],
    ['image/gif', () => picture.clone().gif()],
    ['image/webp', () => picture.clone().webp()],
    ['image/webp', () => picture.clone().webp({ lossless: true })],
    ['image/webp', () => picture.clone().ensureAlpha(0.5).webp()],
  ])('tells format and size: %s', async (mediaType, make) => {
    const bytes = await make().toBuffer();
    expect(readImageInfo(bytes.toString('base64'))).toEqual({ mediaType, ...size });
  });

  it('of nothing, of a text, of a cut or foreign file is none', async () => {
    expect(readImageInfo('')).toBeNull();
    expect(readImageInfo(Buffer.from('hello world').toString('base64'))).toBeNull();
    const jpeg = await picture.clone().jpeg().toBuffer();
    expect(readImageInfo(jpeg.subarray(0, 30).toString('base64'))).toBeNull();
    const tiff = await picture.clone().tiff().toBuffer();
    expect(readImageInfo(tiff.toString('base64'))).toBeNull();
    const riff = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8?'), Buffer.alloc(30)]);
    expect(readImageInfo(riff.toString('base64'))).toBeNull();
  });
});

describe('tokens of a picture', () => {
  it('are its pixels by 750', () => {
    expect(imageTokens(200, 200)).toBe(Math.ceil(40_000 / 750));
    expect(imageTokens(1000, 1000)).toBe(1334);
    expect(imageTokens(1024, 768)).toBe(1049);
    expect(imageTokens(1092, 1092)).toBe(1590);
  });

  it('are those of the scaled picture when it is larger than the API takes', () => {
    expect(imageTokens(3136, 784)).toBe(imageTokens(1568, 392));
    expect(imageTokens(4000, 4000)).toBe(1600);
    for (const [width, height] of [
      [1920, 1080],
      [8000, 10],
      [10, 8000],
      [8000, 8000],
    ] as const) {
      expect(imageTokens(width, height)).toBeLessThanOrEqual(1600);
      expect(imageTokens(width, height)).toBeGreaterThan(0);
    }
  });
});

describe('tokens of a picture, by model: the documented table', () => {
  it.each([
    [200, 200, 64, 64],
    [1000, 1000, 1296, 1296],
    [1092, 1092, 1521, 1521],
    [1920, 1080, 1560, 2691],
    [2000, 1500, 1564, 3888],
    [3840, 2160, 1560, 4784],
    [1075, 1520, 33 * 47, 2145],
  ])('%i x %i', (width, height, standard, high) => {
    expect(imageTokens(width, height, 'claude-sonnet-4-6')).toBe(standard);
    expect(imageTokens(width, height, 'claude-haiku-4-5-20251001')).toBe(standard);
    expect(imageTokens(width, height, 'claude-opus-4-7')).toBe(high);
    expect(imageTokens(width, height, 'claude-sonnet-5')).toBe(high);
  });

  it('is by pixels for the models of the first computer-use tools, and for models that are none of Claude', () => {
    for (const model of ['claude-3-5-sonnet-20241022', 'script', 'qwen2.5-vl']) {
      expect(imageTokens(1000, 1000, model)).toBe(1334);
    }
  });

  it('never falls as a picture grows in one direction while it fits, and never passes the most', () => {
    const size = fc.integer({ min: 1, max: 9000 });
    const models = fc.constantFrom('script', 'claude-sonnet-4-5', 'claude-opus-5');
    assertProperty(100, size, size, models, (width, height, model) => {
      const tokens = imageTokens(width, height, model);
      expect(tokens).toBeGreaterThan(0);
      expect(tokens).toBeLessThanOrEqual(maxImageTokens(model));
    });
    const fitting = fc.integer({ min: 1, max: 1000 });
    assertProperty(
      100,
      fitting,
      fitting,
      fc.integer({ min: 0, max: 90 }),
      models,
      (width, height, more, model) => {
        expect(imageTokens(width + more, height, model)).toBeGreaterThanOrEqual(
          imageTokens(width, height, model),
        );
      },
    );
  });
});
