import { assertAsyncProperty } from '../support/fast-check.ts';
import { keepScreenshots, OMITTED_PICTURE, parseMessageRequest } from '../../messages/index.ts';
import { loadMessages } from '../../sessions/index.ts';
import { projectLog, type ProjectedMessage } from '../../sessions/log/project.ts';
import { happenings, play } from './random-log.ts';
import { toolResult, fromUser } from '../support/blocks.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A conversation of so many screenshots, each the result of a tool use. */
function screenshots(count: number): readonly ProjectedMessage[] {
  return Array.from({ length: count }, (_, n): ProjectedMessage[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'computer', input: {} }] },
    fromUser([
      toolResult(
        `t${n}`,
        [{ type: 'image', source: { type: 'blob', sha256: `${n}`, media_type: 'image/png' } }],
        { is_error: false },
      ),
    ]),
  ]).flat();
}

const shown = (messages: readonly ProjectedMessage[]): string[] =>
  [...JSON.stringify(messages).matchAll(/"sha256":"(\d+)"/g)].map(([, name = '']) => name);

const isImage = ({ type }: { readonly type: string }): boolean => type === 'image';

describe('limiting the pictures of a request', () => {
  it.each([
    [0, 3, 0],
    [3, 3, 3],
    [5, 3, 5],
    [6, 3, 3],
    [8, 3, 5],
    [9, 3, 3],
    [100, 10, 10],
  ])('of %i pictures with %i to keep shows the newest %i', (count, keep, left) => {
    const names = Array.from({ length: count }, (_, n) => String(n));
    expect(shown(keepScreenshots(screenshots(count), keep))).toEqual(names.slice(count - left));
  });

  it('changes what stands at the beginning only once in as many pictures as it keeps', () => {
    const beginnings = Array.from(
      { length: 40 },
      (_, count) => shown(keepScreenshots(screenshots(count + 1), 10))[0],
    );
    expect(new Set(beginnings).size).toBe(4);
  });

  it("leaves the user's own pictures, and a conversation that the API takes", async () => {
    let omitted = 0;
    await assertAsyncProperty(40, happenings, async (happened) => {
      const messages = keepScreenshots(projectLog(play(happened).events), 1);
      if (messages.length === 0) return;
      const loaded = await loadMessages(messages, async () => ({
        type: 'base64',
        media_type: 'image/png',
        data: PIXEL,
      }));
      parseMessageRequest({ model: 'm', max_tokens: 1, messages: loaded }, { betas: [] });
      omitted += JSON.stringify(messages).split(OMITTED_PICTURE).length - 1;
      const sent = happened.filter((next) => next.kind === 'user' && next.picture);
      const own = messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => content.filter(isImage));
      expect(own).toHaveLength(sent.length);
    });
    expect(omitted).toBeGreaterThan(0);
  });
});
