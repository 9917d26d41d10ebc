import { createActivities } from '../../activities/index.ts';
import { append, replyEvents } from '../../sessions/index.ts';
import { inActivity, message, openBench } from './support.ts';
import { openedForAll } from '../support/opened.ts';

const bench = openedForAll(openBench);

/** A session with one tool use that a person is asked about. */
async function askedAbout(name = 'bash'): Promise<{ session: string; call: string }> {
  const session = await bench.session();
  const cursor = await bench.user(session, message('go'));
  const { agent } = await bench.sessions.retrieve(session);
  const content = [{ type: 'tool_use', id: 'toolu_1', name, input: { command: 'true' } }];
  const events = replyEvents({ id: 'msg_1', content } as never, cursor, agent.tools);
  const said = await append(bench.store, { session, key: 'reply', events });
  return { session, call: said.events[0]?.id ?? '' };
}

const attempt = ({ session, call }: { session: string; call: string }): Promise<unknown> =>
  inActivity(() =>
    createActivities(bench.deps).runTool({ session, call, epoch: 1, generation: 1 }, { step: 1 }),
  ).catch((error: unknown) => error);

describe('a tool use that is to be asked about', () => {
  it('is not performed on anybody’s word but that of the log', async () => {
    const asked = await askedAbout();
    expect(await attempt(asked)).toMatchObject({ type: 'NotConfirmed', nonRetryable: true });
    expect(await bench.store.effects.get(asked.session, asked.call)).toBeUndefined();
  });

  it('is not performed where the log says no', async () => {
    const asked = await askedAbout();
    await bench.user(asked.session, {
      type: 'user.tool_confirmation',
      body: { tool_use_id: asked.call, result: 'deny' },
    });
    expect(await attempt(asked)).toMatchObject({ type: 'NotConfirmed', nonRetryable: true });
  });

  it('is performed where the log says yes: the computer is asked for', async () => {
    const asked = await askedAbout();
    await bench.user(asked.session, {
      type: 'user.tool_confirmation',
      body: { tool_use_id: asked.call, result: 'allow' },
    });
    expect(String(await attempt(asked))).toContain('this test has no sandboxes');
  });
});

it('a recorded outcome is answered with, and nothing else is looked at', async () => {
  const asked = await askedAbout();
  await bench.store.effects.begin(asked.session, asked.call);
  await bench.store.effects.finish(asked.session, asked.call, {
    status: 'done',
    is_error: false,
    content: [],
  });
  expect(await attempt(asked)).toEqual({ type: 'done' });
});

it('a tool that the agent does not have is named', async () => {
  const asked = await askedAbout('telescope');
  expect(await attempt(asked)).toMatchObject({ type: 'ToolNotFound', message: /telescope/ });
});

it('a tool use that does not stand in the log is refused', async () => {
  const { session } = await askedAbout();
  expect(await attempt({ session, call: 'sevt_none' })).toMatchObject({ type: 'NotStoredError' });
});
