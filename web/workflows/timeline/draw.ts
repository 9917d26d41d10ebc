import { formatDuration } from '../../parts/format.ts';
import type { EventGroup } from '../history/groups.ts';
import type { Bar, LaneLayout } from './lanes.ts';
import { type TimeView, ticksOf } from './view.ts';

export const LANE_HEIGHT = 22;
export const AXIS_HEIGHT = 24;
const BAR_HEIGHT = 14;

/** The names of the theme's colours that are drawn with. */
export const COLOURS = [
  'ink',
  'quiet',
  'line',
  'accent',
  'alarm',
  'wait',
  'info',
  'card',
  'accent-ink',
] as const;
export type Palette = Readonly<Record<(typeof COLOURS)[number], string>>;

export interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly layout: LaneLayout;
  readonly view: TimeView;
  /** The moment at which the bars' x is 0, which is the beginning of the run. */
  readonly origin: number;
  readonly width: number;
  readonly height: number;
  /** How far the lanes are scrolled down. */
  readonly top: number;
  readonly palette: Palette;
  readonly font: string;
  readonly selected: number | undefined;
  /** Where a run that goes on is now. */
  readonly edge: number | undefined;
}

/** Draws the bars in view and the axis over them. */
export function drawTimeline(drawing: Drawing): void {
  const { context, layout, view, origin, width, height, top, palette, font, edge } = drawing;
  const scale = width / (view.to - view.from);
  const left = (view.from - origin) * scale;
  context.clearRect(0, 0, width, height);
  context.font = font;
  context.textBaseline = 'middle';
  const ticks = ticksOf(view, origin, Math.max(2, Math.floor(width / 90)));
  context.fillStyle = palette.line;
  for (const { at } of ticks) context.fillRect(Math.round((at - view.from) * scale), 0, 1, height);
  for (const bar of layout.bars) {
    const y = AXIS_HEIGHT + bar.lane * LANE_HEIGHT - top;
    if (y < 0 || y > height || bar.x - left > width || bar.x + bar.width - left < -240) continue;
    drawBar(drawing, bar, bar.x - left, y);
  }
  if (edge !== undefined) {
    context.fillStyle = palette.accent;
    context.fillRect(Math.round((edge - view.from) * scale), 0, 2, height);
  }
  context.fillStyle = palette.card;
  context.fillRect(0, 0, width, AXIS_HEIGHT - 2);
  context.fillStyle = palette.quiet;
  for (const { at, offset } of ticks) {
    context.fillText(
      offset === 0 ? '0' : formatDuration(offset),
      (at - view.from) * scale + 4,
      AXIS_HEIGHT / 2,
    );
  }
  context.fillStyle = palette.line;
  context.fillRect(0, AXIS_HEIGHT - 2, width, 1);
}

function drawBar(
  { context, layout, palette, selected, width }: Drawing,
  bar: Bar,
  x: number,
  y: number,
): void {
  const { group } = bar;
  const from = Math.max(-4, x);
  const to = Math.min(width + 4, x + bar.width);
  const top = y + (LANE_HEIGHT - BAR_HEIGHT) / 2;
  const colour = colourOf(group, palette);
  context.fillStyle = colour;
  // The time that it waited for a worker is paler.
  const taken = Math.min(Math.max(from, x + bar.takenX - bar.x), to);
  context.globalAlpha = 0.4;
  if (taken > from) context.fillRect(from, top, taken - from, BAR_HEIGHT);
  context.globalAlpha = 1;
  context.fillRect(taken, top, Math.max(1, to - taken), BAR_HEIGHT);
  if (group.id === selected) {
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.strokeRect(from - 2, top - 2, to - from + 4, BAR_HEIGHT + 4);
  }
  if (!layout.labelled) return;
  const name = context.measureText(group.label).width;
  const inside = name + 8 <= to - taken;
  context.fillStyle = inside ? palette['accent-ink'] : palette.ink;
  context.fillText(group.label, inside ? taken + 4 : to + 4, y + LANE_HEIGHT / 2);
}

function colourOf({ kind, state }: EventGroup, palette: Palette): string {
  if (state === 'failed' || state === 'timed out') return palette.alarm;
  if (state === 'canceled') return palette.quiet;
  switch (kind) {
    case 'timer':
      return palette.wait;
    case 'signal':
    case 'update':
    case 'external':
    case 'child':
      return palette.info;
    case 'task':
    case 'run':
    case 'marker':
    case 'other':
      return palette.quiet;
    default:
      return palette.accent;
  }
}
