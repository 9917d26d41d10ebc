import { assertProperty, fc } from '../../support/fast-check.ts';
import type { ComputerAction } from '../../../messages/actions/action.ts';
import { COMPUTER_FORMS } from '../../../messages/actions/computer-forms.ts';
import { decodeComputer } from '../../../messages/actions/decode-computer.ts';
import { encodeComputer } from '../../../messages/actions/encode-computer.ts';
import { joinActions } from '../../../messages/actions/join-actions.ts';
import type { ComputerGeneration } from '../../../messages/tools/generations.ts';
import { action, GENERATIONS, PAIRS } from './arbitrary.ts';
import { eventsOf } from './desktop.ts';

/** What a generation has no words for, as its documentation tells; everything else has to come through. */
function isBeyond(generation: ComputerGeneration, meant: ComputerAction): boolean {
  const held = 'modifiers' in meant;
  switch (generation) {
    case 'computer_20241022':
      return (
        ['hold_key', 'mouse_down', 'mouse_up', 'scroll', 'wait', 'zoom'].includes(meant.type) ||
        (meant.type === 'click' && meant.count === 3) ||
        held
      );
    case 'computer_20250124':
    case 'computer_20251124':
      return (
        (meant.type === 'zoom' && generation === 'computer_20250124') ||
        (meant.type === 'drag' && held) ||
        (meant.type === 'hold_key' && meant.seconds > 100)
      );
    case 'computer_toolset_20260801':
      return (
        (meant.type === 'drag' && held && meant.from === undefined) ||
        (meant.type === 'hold_key' && (meant.seconds > 300 || meant.keys.length > 1))
      );
  }
}

describe.each(GENERATIONS)('every action in %s', (generation) => {
  const form = COMPUTER_FORMS[generation];

  it('is said so that a computer sees the same events, or is refused with a reason', () => {
    assertProperty(600, action, (meant) => {
      const { inputs, refused } = encodeComputer(form, meant);
      expect(refused !== undefined).toBe(isBeyond(generation, meant));
      if (inputs === undefined) return /\w+ .*\w/.test(refused);
      const decoded = inputs.map((input) => decodeComputer(form, input));
      expect(decoded.map(({ invalid }) => invalid).filter((reason) => reason !== undefined)).toEqual([]);
      expect(eventsOf(decoded.flatMap((each) => each.action ?? []))).toEqual(eventsOf([meant]));
      return true;
    });
  });

  it('comes back as one action from the inputs that it was taken apart into', () => {
    assertProperty(300, action, (meant) => {
      const inputs = encodeComputer(form, meant).inputs ?? [];
      const actions = inputs.flatMap((input) => decodeComputer(form, input).action ?? []);
      fc.pre(actions.length > 0);
      const joined = joinActions(actions);
      expect(joined).toBeDefined();
      expect(eventsOf(joined === undefined ? [] : [joined])).toEqual(eventsOf([meant]));
    });
  });
});

describe.each(PAIRS)('from %s to %s and back', (from, to) => {
  it('every action that can be said in both means the same', () => {
    let both = 0;
    assertProperty(250, action, (meant) => {
      // What a model of `from` asks for ...
      const asked = encodeComputer(COMPUTER_FORMS[from], meant).inputs ?? [];
      fc.pre(asked.length === 1);
      const understood = asked.map((input) => decodeComputer(COMPUTER_FORMS[from], input).action);
      const [wanted] = understood;
      if (wanted === undefined) throw new Error('what was written cannot be read');
      // ... a client of `to` does, or it is told why not ...
      const done = encodeComputer(COMPUTER_FORMS[to], wanted);
      expect(done.refused !== undefined).toBe(isBeyond(to, meant));
      if (done.inputs === undefined) return;
      const seen = done.inputs.map((input) => decodeComputer(COMPUTER_FORMS[to], input).action);
      expect(eventsOf(seen.flatMap((each) => each ?? []))).toEqual(eventsOf([meant]));
      // ... and its record of it is again what the model asked for.
      const joined = joinActions(seen.flatMap((each) => each ?? []));
      if (joined === undefined) throw new Error('the parts make up no action');
      const recorded = encodeComputer(COMPUTER_FORMS[from], joined).inputs;
      expect(recorded).toHaveLength(1);
      const again =
        recorded?.flatMap((input) => decodeComputer(COMPUTER_FORMS[from], input).action ?? []) ?? [];
      expect(eventsOf(again)).toEqual(eventsOf([meant]));
      // A capital letter is the one thing with two spellings: `A`, and shift with the letter.
      const respelt = 'keys' in meant && meant.keys.some((chord) => /(^|\+)[A-Z]$/.test(chord));
      expect(respelt ? asked : recorded).toEqual(asked);
      both += 1;
    });
    expect(both).toBeGreaterThan(25);
  });
});
