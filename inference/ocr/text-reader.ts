import type { RawImage } from '../images/raw-image.ts';
import type { Preprocessor } from '../preprocess/preprocessor.ts';
import type { Detection, TextLine } from '../common/results.ts';
import { createAlphabet, type Decode } from './alphabet.ts';
import { decodeDb } from './db.ts';
import { detectorInput, detectorSide, lineTensor } from './line-tensor.ts';
import {
  type Frame,
  FrameCache,
  type ReadRegion,
  PieceCache,
  pieceKey,
  type PieceReading,
} from './frame-cache.ts';
import { areasOf, clipped, merged, overlap, tilesOf, union } from './frame-tiles.ts';
import { lineShape, type LineShape } from './line-shape.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { areaAround, type Area, type Pixels, toPixels } from './pixels.ts';
import { lineOf, readingOrder, sideBySide } from './read-line.ts';
import type { Placed } from './spacing.ts';
import type { DetectText, RecognizeText } from './text-models.ts';

export interface TextReaderOptions {
  readonly preprocessor: Preprocessor;
  readonly detect: DetectText;
  readonly recognize: RecognizeText;
  /** The recogniser's characters in the order of its classes, without the blank before and the space after them. */
  readonly keys: readonly string[];
  /** How many pieces of lines `recognize` is given at once. Default 1. */
  readonly parallel?: number;
}

export interface ReadOptions {
  /** Lines with a lower score are dropped. Default 0.5. */
  readonly score?: number;
  /** How many lines there are at most, the best by score. Default 1000. */
  readonly max?: number;
}

interface TextReading {
  /** A detection with the label `text` for each line, best score first. */
  readonly detections: readonly Detection[];
  /** The lines in reading order: rows from the top, and in a row from the left. */
  readonly lines: readonly TextLine[];
  /** Milliseconds of each stage. */
  readonly timings: {
    readonly preprocess_ms: number;
    readonly inference_ms: number;
    readonly postprocess_ms: number;
  };
}

/**
 * Reads text in pictures. It keeps what it read, so that a picture like an earlier one takes time for the differences
 * alone.
 */
export interface TextReader {
  /** Calls run one after another. */
  read(image: RawImage, options?: ReadOptions): Promise<TextReading>;
}

/**
 * Reads text in upright lines with PP-OCR's detector and recogniser.
 *
 * Pictures are read at their own size, since the letters of screens are small. One with more pixels than a 1080p screen
 * is reduced for the detector, and its lines are read at their own size.
 */
export function createTextReader(options: TextReaderOptions): TextReader {
  const reader = new CachingReader(options);
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: (image, readOptions) => {
      const run = last.then(() => reader.read(toPixels(image), readOptions ?? {}));
      last = run.catch(() => undefined);
      return run;
    },
  };
}

/** The detector's time and memory grow with the pixels. */
const DETECTOR_PIXELS = 1920 * 1088;
/** Where a larger part of the picture has changed, all of it goes through the detector. */
const MOST_CHANGED = 0.6;
/** Pixels around a changed area that the detector gets too, because it judges by the surroundings. */
const CONTEXT = 16;

/** A region that the detector found: where its text is, and where to search for letters. */
interface Found {
  readonly text: Area;
  readonly outer: Area;
}

class CachingReader {
  readonly #models: TextReaderOptions;
  readonly #decode: Decode;
  readonly #frames = new FrameCache();
  readonly #pieces = new PieceCache();
  readonly #clock = new StageClock();

  constructor(models: TextReaderOptions) {
    this.#models = models;
    this.#decode = createAlphabet(models.keys);
  }

  async read(pixels: Pixels, { score = 0.5, max = 1000 }: ReadOptions): Promise<TextReading> {
    this.#clock.start();
    const frame = await this.#frame(pixels);
    this.#frames.keep(frame);
    const lines = frame.regions
      .flatMap(({ lines: read }) => read)
      .filter((line) => line.score >= score)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, max);
    const detections = lines.map((line) => ({
      box: line.box,
      label: 'text',
      class_id: 0,
      score: line.score,
    }));
    const ordered = readingOrder(lines);
    this.#clock.lap('postprocess_ms');
    return { detections, lines: ordered, timings: { ...this.#clock.ms } };
  }

  async #frame(pixels: Pixels): Promise<Frame> {
    const { width, height } = pixels;
    const tiles = tilesOf(pixels);
    const near = this.#frames.nearest(width, height, tiles);
    this.#clock.lap('preprocess_ms');
    if (near !== undefined && near.changed.length === 0) return near.frame;
    const whole = { left: 0, top: 0, right: width, bottom: height };
    let kept: readonly ReadRegion[] = [];
    let areas: Area[] = [whole];
    if (near !== undefined && width * height <= DETECTOR_PIXELS) {
      areas = wholeRegions(areasOf(near.changed, tiles.columns, pixels), near.frame.regions);
      kept = near.frame.regions.filter(({ area }) => !areas.some((changed) => overlap(area, changed)));
      if (areas.reduce((sum, area) => sum + pixelCount(area), 0) > MOST_CHANGED * width * height) {
        areas = [whole];
        kept = [];
      }
    }
    const outers: Area[] = [];
    for (const area of areas) {
      const found = await this.#detect(pixels, area);
      for (const { text, outer } of found.filter((region) => overlap(region.text, area))) {
        // New text may continue known text; both are then read as one.
        const joined = kept.filter((region) => isMostlyShared(text, region.area));
        kept = kept.filter((region) => !joined.includes(region));
        outers.push(joined.reduce((sum, region) => union(sum, region.outer), outer));
      }
    }
    return { width, height, tiles, regions: [...(await this.#readRegions(pixels, outers)), ...kept] };
  }

  /** Answers the regions that the detector finds in an area. */
  async #detect(pixels: Pixels, area: Area): Promise<Found[]> {
    const seen = withContext(area, pixels);
    const shrink = Math.min(1, Math.sqrt(DETECTOR_PIXELS / pixelCount(seen)));
    const [width, height] = [seen.right - seen.left, seen.bottom - seen.top];
    const small = shrink === 1 ? pixels : this.#shrunk(pixels, shrink);
    const [w, h] = [
      detectorSide(shrink === 1 ? width : small.width),
      detectorSide(shrink === 1 ? height : small.height),
    ];
    const input = detectorInput(small, seen, w, h);
    this.#clock.lap('preprocess_ms');
    const map = await this.#models.detect(input, w, h);
    this.#clock.lap('inference_ms');
    const [scaleX, scaleY] = [pixels.width / small.width, pixels.height / small.height];
    const found = decodeDb(map, w, h).map(({ polygon }) => {
      const points = polygon.map(([x, y]) => [x * scaleX + seen.left, y * scaleY + seen.top] as const);
      const outer = areaAround(points, 2, pixels);
      return { text: coreOf(outer), outer };
    });
    this.#clock.lap('postprocess_ms');
    return joinedRows(found);
  }

  #shrunk(pixels: Pixels, shrink: number): Pixels {
    const image = { ...pixels, channels: 3 as const };
    const [width, height] = [Math.floor(pixels.width * shrink), Math.floor(pixels.height * shrink)];
    return toPixels(this.#models.preprocessor.resize(image, Math.max(1, width), Math.max(1, height)));
  }

  async #readRegions(pixels: Pixels, outers: readonly Area[]): Promise<ReadRegion[]> {
    const regions = outers.map((outer) => ({ outer, parts: partsOf(pixels, outer) }));
    const pieces = regions.flatMap(({ parts }) => parts.flatMap((part) => part.pieces));
    this.#clock.lap('postprocess_ms');
    const readings = await this.#readPieces(pixels, pieces);
    const read = regions.map(({ outer, parts }): ReadRegion => {
      const lines = parts.flatMap(({ shape, pieces: own }) => {
        const placed = own.flatMap((piece) => placedCharacters(readings.get(piece), piece));
        return lineOf(placed, shape) ?? [];
      });
      const boxes = lines.map(({ box }) => areaOf(box));
      return { area: boxes.length === 0 ? coreOf(outer) : boxes.reduce(union), outer, lines };
    });
    this.#clock.lap('postprocess_ms');
    return read;
  }

  /** Answers what each piece is read as: it is known, or recognised once for all pieces that look the same. */
  async #readPieces(pixels: Pixels, pieces: readonly Piece[]): Promise<Map<Piece, PieceReading>> {
    const readings = new Map<Piece, PieceReading>();
    const unknown = new Map<string, Piece[]>();
    for (const piece of pieces) {
      const key = pieceKey(pixels, piece);
      const known = this.#pieces.get(key);
      if (known !== undefined) readings.set(piece, known);
      else unknown.set(key, [...(unknown.get(key) ?? []), piece]);
    }
    // Long ones come first, so that none runs alone at the end.
    const queue = [...unknown]
      .toSorted(([, [one]], [, [other]]) => (other?.width ?? 0) - (one?.width ?? 0))
      .values();
    const work = async (): Promise<void> => {
      for (const [key, [first, ...others]] of queue) {
        if (first === undefined) continue;
        const tensor = lineTensor(pixels, first.area, first.used, first.width);
        this.#clock.lap('preprocess_ms');
        const recognition = await this.#models.recognize(tensor, first.width);
        this.#clock.lap('inference_ms');
        const reading = { characters: this.#decode(recognition), steps: recognition.steps };
        this.#pieces.set(key, reading);
        for (const piece of [first, ...others]) readings.set(piece, reading);
        this.#clock.lap('postprocess_ms');
      }
    };
    await Promise.all(Array.from({ length: this.#models.parallel ?? 1 }, work));
    return readings;
  }
}

/** Finds the lines that stand side by side in a region, each in pieces. */
function partsOf(pixels: Pixels, outer: Area): { shape: LineShape; pieces: Piece[] }[] {
  const height = outer.bottom - outer.top;
  const core = {
    top: Math.round(outer.top + height * 0.3),
    bottom: Math.round(outer.bottom - height * 0.3),
  };
  const found = lineShape(pixels, outer, core);
  if (found === undefined) return [];
  return sideBySide(found).map((shape) => ({ shape, pieces: piecesOf(shape, height, pixels) }));
}

/** Changed areas, grown by every known region that they touch: lines at their borders are read anew. */
function wholeRegions(changed: readonly Area[], regions: readonly ReadRegion[]): Area[] {
  let areas = merged(changed);
  for (;;) {
    const wider = areas.map((area) =>
      regions.reduce((sum, region) => (overlap(region.area, area) ? union(sum, region.area) : sum), area),
    );
    const next = merged(wider);
    const same =
      next.length === areas.length &&
      next.every((area, at) => pixelCount(area) === pixelCount(areas[at] ?? area));
    if (same) return next;
    areas = next;
  }
}

/** About where a region's letters are, because the detector's regions reach into the rows above and below. */
function coreOf({ left, top, right, bottom }: Area): Area {
  const margin = Math.floor((bottom - top) / 4);
  const side = Math.min(margin, Math.floor((right - left) / 4));
  return { left: left + side, top: top + margin, right: right - side, bottom: bottom - margin };
}

/** Joins overlapping regions of one row, since the letters at their borders would otherwise be read twice. */
function joinedRows(found: readonly Found[]): Found[] {
  const rows: Found[] = [];
  for (const region of found) {
    let joined = region;
    for (let at = 0; at < rows.length;) {
      const other = rows[at];
      if (other !== undefined && inOneRow(joined.outer, other.outer)) {
        joined = { text: union(joined.text, other.text), outer: union(joined.outer, other.outer) };
        rows.splice(at, 1);
        at = 0;
      } else {
        at += 1;
      }
    }
    rows.push(joined);
  }
  return rows;
}

function inOneRow(one: Area, other: Area): boolean {
  if (!overlap(one, other)) return false;
  const [a, b] = [one.bottom - one.top, other.bottom - other.top];
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared > 0.7 * Math.max(a, b);
}

/** Whether two areas share more than half of the smaller one. */
function isMostlyShared(one: Area, other: Area): boolean {
  if (!overlap(one, other)) return false;
  const shared = {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
  return pixelCount(shared) > 0.5 * Math.min(pixelCount(one), pixelCount(other));
}

/** Extends an area by its surroundings, in sizes that the detector takes where the picture has room for them. */
function withContext(area: Area, picture: Pixels): Area {
  const wide = clipped(
    {
      left: area.left - CONTEXT,
      top: area.top - CONTEXT,
      right: area.right + CONTEXT,
      bottom: area.bottom + CONTEXT,
    },
    picture,
  );
  const right = Math.min(picture.width, wide.left + detectorSide(wide.right - wide.left));
  const bottom = Math.min(picture.height, wide.top + detectorSide(wide.bottom - wide.top));
  return {
    left: Math.max(0, right - detectorSide(wide.right - wide.left)),
    top: Math.max(0, bottom - detectorSide(wide.bottom - wide.top)),
    right,
    bottom,
  };
}

function placedCharacters(reading: PieceReading | undefined, { area, used, width }: Piece): Placed[] {
  if (reading === undefined) return [];
  const { characters, steps } = reading;
  const perStep = ((width / steps) * (area.right - area.left)) / used;
  return characters.map(({ text, probability, step, others }) => ({
    text,
    probability,
    others,
    x: area.left + step * perStep,
  }));
}

function pixelCount({ left, top, right, bottom }: Area): number {
  return (right - left) * (bottom - top);
}

function areaOf([left, top, right, bottom]: TextLine['box']): Area {
  return { left, top, right, bottom };
}

class StageClock {
  ms = { preprocess_ms: 0, inference_ms: 0, postprocess_ms: 0 };
  #now = 0;

  start(): void {
    this.ms = { preprocess_ms: 0, inference_ms: 0, postprocess_ms: 0 };
    this.#now = performance.now();
  }

  /** Adds the time since the last lap to a stage. */
  lap(stage: 'preprocess_ms' | 'inference_ms' | 'postprocess_ms'): void {
    const then = this.#now;
    this.#now = performance.now();
    this.ms[stage] += this.#now - then;
  }
}
