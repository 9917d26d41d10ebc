import type { PersonInput } from '@steadyhand/contracts';
import type { Base64Source } from '@steadyhand/sessions';

interface Text {
  readonly type: 'text';
  readonly text: string;
}
interface Picture {
  readonly type: 'image';
  readonly source: Base64Source;
}

/** The content that tells the model, after a takeover, how much the person did; it does not hold what they typed. */
export function takeoverNote(
  inputs: readonly PersonInput[],
  durationMs: number,
  screen: Uint8Array | null,
): readonly (Text | Picture)[] {
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const text =
    `<system>A person took over the computer for ${seconds} s and ${doneBy(inputs)}. It is yours again. ` +
    'What you had asked for and was not performed by then was not performed; look at the screen before you go on' +
    `${screen === null ? '.' : ': this is the screen now.'}</system>`;
  if (screen === null) return [{ type: 'text', text }];
  const data = Buffer.from(screen).toString('base64');
  return [
    { type: 'text', text },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
  ];
}

function doneBy(inputs: readonly PersonInput[]): string {
  const buttons = inputs.filter((input) => input.type === 'button' && input.down);
  const clicks = buttons.filter((input) => input.type === 'button' && input.button <= 3).length;
  const keys = inputs.filter((input) => input.type === 'key' && input.down).length;
  const done = [
    clicks === 0 ? '' : `clicked ${times(clicks)}`,
    buttons.length === clicks ? '' : 'scrolled',
    keys === 0 ? '' : `pressed ${keys} ${keys === 1 ? 'key' : 'keys'}`,
    inputs.some(({ type }) => type === 'clipboard') ? 'set the clipboard' : '',
  ].filter((part) => part !== '');
  const last = done.pop();
  if (last === undefined) return 'did nothing with mouse or keyboard';
  return done.length === 0 ? last : `${done.join(', ')} and ${last}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
