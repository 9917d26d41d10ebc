import { END_TURN, statusIdle, statusRunning, toolResult } from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';
import { desktopPicture, picture, type SeededSession, seedSession } from './seed.ts';

const ESC = '\u001b';

/** A session that used each kind of tool, was asked for something and had an error. */
export async function seedTools(store: Store): Promise<SeededSession> {
  const session = await seedSession(store, 'Every tool');
  const ok = (content: string): { content: string; is_error: boolean } => ({ content, is_error: false });
  const said = (text: string): Parameters<SeededSession['step']>[0] => ({
    type: 'agent.message',
    body: { content: [{ type: 'text', text }] },
  });
  const asked = async (input_tokens: number, output_tokens: number): Promise<void> => {
    const [start = ''] = await session.step({ type: 'span.model_request_start', body: {} });
    await session.step({
      type: 'span.model_request_end',
      body: {
        model_request_start_id: start,
        is_error: false,
        model_usage: {
          input_tokens,
          output_tokens,
          cache_read_input_tokens: 9000,
          cache_creation_input_tokens: 1200,
        },
      },
    });
  };
  await session.step({
    type: 'user.message',
    body: { content: [{ type: 'text', text: 'Fix the failing test, then save the list in the editor.' }] },
  });
  await session.step(statusRunning());
  await asked(1500, 220);
  await session.step({ type: 'agent.thinking', body: {} });
  await session.step(said('I will look at the tests first.'));
  await session.use(
    'bash',
    { command: 'npm test' },
    {
      content: `${ESC}[32mPASS${ESC}[0m test/list.test.js\n${ESC}[1;31mFAIL${ESC}[0m test/total.test.js\n  ${ESC}[2m● adds up${ESC}[0m\n\nexit 1`,
      is_error: true,
    },
  );
  await session.use(
    'grep',
    { pattern: 'total', path: '/home/agent' },
    ok('/home/agent/total.js:2:  let total = 1;\n/home/agent/total.js:5:  return total;'),
  );
  await session.use(
    'read',
    { file_path: '/home/agent/total.js' },
    ok('function sum(list) {\n  let total = 1;\n  for (const n of list) total += n;\n\n  return total;\n}\n'),
  );
  await asked(1800, 140);
  await session.use(
    'edit',
    {
      file_path: '/home/agent/total.js',
      old_string: 'function sum(list) {\n  let total = 1;',
      new_string: 'function sum(list) {\n  let total = 0;',
    },
    ok('edited'),
  );
  await session.use(
    'write',
    { file_path: '/home/agent/NOTES.md', content: '# Notes\n\nThe sum began at 1.\n' },
    ok('written'),
  );
  await session.use('computer', { action: 'screenshot' }, picture(await desktopPicture(['milk'])));
  await session.use(
    'computer',
    { action: 'left_click', coordinate: [256, 192] },
    picture(await desktopPicture(['milk', 'coffee'])),
  );
  await session.use(
    'computer',
    { action: 'type', text: 'bread\n' },
    picture(await desktopPicture(['milk', 'coffee', 'bread'])),
  );
  await session.use('computer', { action: 'key', text: 'ctrl+s' }, picture(await desktopPicture(['saved'])));
  await session.use('weather', { city: 'Oslo', days: 3 }, ok('Rain.'));
  await session.step(said('The test passes, and the list is saved.'));
  await session.step(statusIdle(END_TURN));
  await session.step({ type: 'user.message', body: { content: [{ type: 'text', text: 'Now close it.' }] } });
  await session.step(statusRunning());
  await asked(2100, 60);
  return session;
}

/** Adds many uses of bash, `count` events in all, in steps of a thousand. */
export async function seedMany(session: SeededSession, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1000) {
    const uses = await session.step(
      ...Array.from({ length: 500 }, (_, index) => ({
        type: 'agent.tool_use' as const,
        body: {
          name: 'bash',
          input: { command: `echo step ${done / 2 + index}` },
          evaluated_permission: 'allow' as const,
        },
      })),
    );
    await session.step(
      ...uses.map((use, index) => toolResult(use, { content: `step ${done / 2 + index}`, is_error: false })),
    );
  }
}
