import { findField } from '../../../../messages/providers/script/find-field.ts';
import type {
  ScreenBox,
  ScreenLine,
  ScreenPixels,
} from '../../../../messages/providers/script/text-recognizer.ts';

type Shade = number;

/** A screen to draw boxes on. */
class Canvas implements ScreenPixels {
  readonly width = 400;
  readonly height = 300;
  readonly channels = 3;
  readonly data: Uint8Array;

  constructor(ground: Shade) {
    this.data = new Uint8Array(this.width * this.height * 3).fill(ground);
  }

  fill([left, top, right, bottom]: ScreenBox, shade: Shade): this {
    for (let y = top; y < bottom; y += 1)
      this.data.fill(shade, (y * this.width + left) * 3, (y * this.width + right) * 3);
    return this;
  }

  /** A filled box with a border of a pixel. */
  field([left, top, right, bottom]: ScreenBox, inside: Shade, border: Shade): this {
    return this.fill([left, top, right, bottom], border).fill(
      [left + 1, top + 1, right - 1, bottom - 1],
      inside,
    );
  }

  /** Strokes where a text stands. */
  text([left, top, right, bottom]: ScreenBox, ink: Shade): this {
    for (let x = left; x < right; x += 4) this.fill([x, top + 2, Math.min(x + 2, right), bottom - 2], ink);
    return this;
  }
}

const line = (text: string, box: ScreenBox): ScreenLine => ({ text, box, score: 0.99 });
const inside = ([left, top, right, bottom]: ScreenBox, at: readonly [number, number] | undefined): boolean =>
  at !== undefined && at[0] > left && at[0] < right && at[1] > top && at[1] < bottom;

const NAME: ScreenBox = [20, 40, 60, 54];
const MAIL: ScreenBox = [20, 80, 52, 94];
const NAME_FIELD: ScreenBox = [140, 34, 340, 62];
const MAIL_FIELD: ScreenBox = [140, 74, 340, 102];
const lines = [line('Name', NAME), line('Mail', MAIL)];

describe.each([
  ['light', 245, 255, 200, 40],
  ['dark', 50, 40, 90, 230],
  ['plain white, as a web page', 255, 255, 118, 0],
])('a %s form', (_what, ground, paper, border, ink) => {
  const form = (): Canvas => new Canvas(ground).text(NAME, ink).text(MAIL, ink);

  it('with the fields right of their labels', () => {
    const screen = form().field(NAME_FIELD, paper, border).field(MAIL_FIELD, paper, border);
    for (const [label, box] of [
      [NAME, NAME_FIELD],
      [MAIL, MAIL_FIELD],
    ] as const) {
      const field = findField(label, lines, screen);
      expect(field?.where).toBe('right of');
      expect(inside(box, field?.point)).toBe(true);
    }
  });

  it('with text in the field already', () => {
    const typed: ScreenBox = [148, 40, 180, 54];
    const screen = form().field(NAME_FIELD, paper, border).text(typed, ink);
    expect(inside(NAME_FIELD, findField(NAME, [...lines, line('Bob', typed)], screen)?.point)).toBe(true);
  });

  it('with the fields below their labels', () => {
    const box: ScreenBox = [20, 60, 220, 86];
    const screen = new Canvas(ground).text(NAME, ink).field(box, paper, border);
    // A button of the same row lies further away.
    screen.field([300, 34, 380, 60], paper, border);
    const field = findField(NAME, [line('Name', NAME)], screen);
    expect(field?.where).toBe('below');
    expect(inside(box, field?.point)).toBe(true);
  });

  it('with a large area for text', () => {
    const box: ScreenBox = [20, 60, 380, 220];
    const screen = new Canvas(ground).text(NAME, ink).field(box, paper, border);
    expect(inside(box, findField(NAME, [line('Name', NAME)], screen)?.point)).toBe(true);
  });

  it('with the label in the field itself', () => {
    const screen = new Canvas(ground).field([12, 34, 300, 62], paper, border).text(NAME, ink);
    screen.field([310, 34, 390, 62], paper, border);
    expect(findField(NAME, [line('Name', NAME)], screen)).toBeNull();
  });

  it('with no field at all', () => {
    expect(findField(NAME, lines, form())).toBeNull();
  });

  it("with another label before the field, which is that label's", () => {
    const other: ScreenBox = [90, 40, 130, 54];
    const screen = form().text(other, ink).field(NAME_FIELD, paper, border);
    expect(findField(NAME, [...lines, line('Other', other)], screen)).toBeNull();
  });
});

it('copes with a label at the edge of the screen, and with one that is no box', () => {
  const screen = new Canvas(245);
  expect(findField([0, 0, 400, 300], [], screen)).toBeNull();
  expect(findField([390, 290, 400, 300], [], screen)).toBeNull();
  expect(findField([10, 10, 10, 10], [], screen)).toBeNull();
});
