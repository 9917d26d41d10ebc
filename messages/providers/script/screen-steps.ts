import { INTERRUPTED_RESULT } from '@steadyhand/contracts';
import type { ToolParam } from '../../api/api-types.ts';
import type { Outcome } from './conversation.ts';
import type { ScreenText } from './screen-text.ts';
import { findField } from './find-field.ts';
import { findText, type Match } from './find-text.ts';
import {
  DONE,
  excerpt,
  failed,
  faultOf,
  findTool,
  notOffered,
  useOf,
  type Decision,
  type Situation,
} from './decision.ts';
import { readText } from './screen-rows.ts';
import type { StepAction, Target } from './script.ts';
import type { ScreenBox, ScreenLine } from './text-recognizer.ts';

type Input = Readonly<Record<string, unknown>>;
type Point = readonly [x: number, y: number];
type PointAction = Extract<StepAction, { kind: 'click' | 'type_into' }>;
type WaitAction = Extract<StepAction, { kind: 'wait_for' }>;
/** Steps that look at the screen and take several replies. */
type ScreenAction = PointAction | WaitAction;

const COMPUTER = { family: 'computer' } as const;
const SCREENSHOT: Input = { action: 'screenshot' };
/** The milliseconds between the screenshots of `wait_for`; the last pause repeats. */
const PAUSES = [250, 500, 1000, 1500, 2000];

export function isScreenAction(action: StepAction): action is ScreenAction {
  return action.kind === 'click' || action.kind === 'type_into' || action.kind === 'wait_for';
}

/** Whether a successful step has this number of replies. */
export function isWhole(action: ScreenAction, replies: number, { offer }: Pick<Situation, 'offer'>): boolean {
  if (action.kind === 'wait_for') return replies > 0;
  const tool = findTool(COMPUTER, offer);
  return tool !== undefined && replies === 1 + gesture(action, tool, [0, 0]).length;
}

/** Decides a screen step. A picture is read only where the decision depends on it. */
export async function decideScreenStep(
  action: ScreenAction,
  label: string,
  situation: Situation,
): Promise<Decision> {
  const { seen, screenText, offer } = situation;
  if (screenText === undefined)
    return failed(`\`${label}\` has to read text from the screen, and this server has no text recognition`);
  const tool = findTool(COMPUTER, offer);
  if (tool === undefined) return notOffered(COMPUTER);
  const newest = seen.at(-1)?.at(-1);
  if (newest === undefined) return using(tool, SCREENSHOT);
  const look = { looks: seen.length, newest, screenText };
  // A person who takes over stops the look of this moment. The text may be what they are about to write.
  if (action.kind === 'wait_for' && wasStopped(newest)) return lookAgain(action, tool, look);
  const fault = faultOf(newest);
  if (fault !== null) return failed(fault);
  return action.kind === 'wait_for'
    ? await waitFor(action, tool, look)
    : await pointAt(action, tool, { replies: seen.length, newest, screenText });
}

/** Decides whether the picture of a result shows a text. A failure says what it shows instead. */
export async function expectSeen(
  wanted: string,
  { picture }: Outcome,
  screenText: ScreenText,
): Promise<Decision> {
  const lines = await screenText.lines(picture);
  if (findText(lines, wanted).length > 0) return DONE;
  return failed(`the last result does not show ${quoted(wanted)}; ${reading(lines)}`);
}

interface Look {
  readonly looks: number;
  readonly newest: Outcome;
  readonly screenText: ScreenText;
}

async function waitFor(action: WaitAction, tool: ToolParam, look: Look): Promise<Decision> {
  const lines = await look.screenText.lines(look.newest.picture);
  if (findText(lines, action.text).length > 0) return DONE;
  return lookAgain(action, tool, look, lines);
}

/** Decides for another look, or for the end of the wait, which tells the text that the last picture shows. */
function lookAgain(
  { text, timeoutMs }: WaitAction,
  tool: ToolParam,
  { looks }: Look,
  lines: readonly ScreenLine[] = [],
): Decision {
  const pauseMs = pauseBefore(looks, timeoutMs);
  if (pauseMs !== null) {
    const look = using(tool, SCREENSHOT, `${quoted(text)} is not there yet`);
    return look.kind === 'use' ? { ...look, pauseMs } : look;
  }
  const waited = `${timeoutMs / 1000} s and ${looks} ${looks === 1 ? 'look' : 'looks'}`;
  return failed(`${quoted(text)} did not appear in ${waited}; ${reading(lines)}`);
}

function wasStopped({ isError, text }: Outcome): boolean {
  return isError && text.trim() === INTERRUPTED_RESULT;
}

/** The pause before the next look, or null when the pauses so far come to the timeout. */
function pauseBefore(looks: number, timeoutMs: number): number | null {
  let waited = 0;
  for (let look = 1; ; look += 1) {
    const pause = Math.min(PAUSES[look - 1] ?? PAUSES.at(-1) ?? 0, timeoutMs - waited);
    if (pause <= 0) return null;
    if (look === looks) return pause;
    waited += pause;
  }
}

async function pointAt(
  action: PointAction,
  tool: ToolParam,
  { replies, newest, screenText }: { replies: number; newest: Outcome; screenText: ScreenText },
): Promise<Decision> {
  if (replies > 1) {
    // The recorded first use holds the place.
    const next = gesture(action, tool, [0, 0])[replies - 1];
    return next === undefined ? DONE : using(tool, next);
  }
  const lines = await screenText.lines(newest.picture);
  const { text, nth } = action.target;
  const matches = findText(lines, text);
  const match = matches[nth - 1];
  if (match === undefined)
    return failed(
      matches.length === 0
        ? `${quoted(text)} is not on the screen; ${reading(lines)}`
        : `${quoted(text)} is on the screen only ${matches.length} times, not ${nth}: ${places(matches)}`,
    );
  let point = middle(match.box);
  let note = found(match, action.target, matches);
  if (action.kind === 'type_into') {
    const pixels = await screenText.pixels(newest.picture);
    const field = pixels === null ? null : findField(match.span, lines, pixels);
    if (field !== null) {
      point = field.point;
      note += `, its field ${field.where} it at ${at(point)}`;
    }
  }
  const [first = SCREENSHOT] = gesture(action, tool, point);
  return using(tool, first, note);
}

/** The inputs that carry out a step at a point, one for each reply. */
function gesture(action: PointAction, { type }: ToolParam, coordinate: Point): Input[] {
  const click = action.kind === 'click' && action.double ? 'double_click' : 'left_click';
  // The first generation clicks where the pointer is; later ones take the place with the click.
  const inputs: Input[] =
    type === 'computer_20241022'
      ? [{ action: 'mouse_move', coordinate }, { action: click }]
      : [{ action: click, coordinate }];
  return action.kind === 'type_into' ? [...inputs, { action: 'type', text: action.text }] : inputs;
}

function using(tool: ToolParam, input: Input, note?: string): Decision {
  const used = useOf(tool, input);
  if (typeof used === 'string') return failed(used);
  return { kind: 'use', says: [], uses: [used], ...(note === undefined ? {} : { note }) };
}

const quoted = (text: string): string => JSON.stringify(text);
const at = ([x, y]: Point): string => `(${x}, ${y})`;
const middle = ([left, top, right, bottom]: ScreenBox): Point => [
  Math.floor((left + right) / 2),
  Math.floor((top + bottom) / 2),
];
const places = (matches: readonly Match[]): string =>
  matches.map(({ line, box }) => `${quoted(line)} at ${at(middle(box))}`).join(', ');

function reading(lines: readonly ScreenLine[]): string {
  return lines.length === 0 ? 'no text can be read there' : `it reads: ${excerpt(readText(lines))}`;
}

function found(match: Match, { text, nth }: Target, matches: readonly Match[]): string {
  const asRead = match.text === text ? '' : `, read as ${quoted(match.text)},`;
  const inside = match.isWholeLine ? '' : ` in ${quoted(match.line)}`;
  const others = matches.filter((other) => other !== match);
  const which =
    others.length === 0 ? '' : `, number ${nth} of ${matches.length} (also ${excerpt(places(others))})`;
  return `${quoted(text)}${asRead}${inside} at ${at(middle(match.box))}${which}`;
}
