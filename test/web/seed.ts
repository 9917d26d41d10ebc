import sharp from 'sharp';
import {
  append,
  createSessions,
  END_TURN,
  type NewEvent,
  requiresAction,
  statusIdle,
  statusRunning,
  toolResult,
} from '../../sessions/index.ts';
import type { Store } from '../../store/index.ts';

const TOOLS = [
  { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'bash_20241022', name: 'bash' },
];

/** A session with a log, written as the activities write one. */
export interface SeededSession {
  readonly id: string;
  /** Appends events as one step. */
  step(...events: NewEvent[]): Promise<readonly string[]>;
  /** A tool use and its result, in two steps; answers the tool use's event id. */
  use(
    name: string,
    input: Record<string, unknown>,
    result: Parameters<typeof toolResult>[1] | 'ask',
  ): Promise<string>;
}

export async function seedSession(store: Store, title: string): Promise<SeededSession> {
  const sessions = createSessions({ store });
  const agent = await sessions.agents.create({ name: 'Demo', model: 'script', tools: TOOLS });
  const { id } = await sessions.create({ agent: agent.id, title });
  let steps = 0;
  const step = async (...events: NewEvent[]): Promise<readonly string[]> => {
    const appended = await append(store, { session: id, key: `step-${++steps}`, events });
    return appended.events.map((event) => event.id);
  };
  return {
    id,
    step,
    use: async (name, input, result) => {
      const evaluated_permission = result === 'ask' ? 'ask' : 'allow';
      const [toolUse = ''] = await step({
        type: 'agent.tool_use',
        body: { name, input, evaluated_permission },
      });
      if (result === 'ask') await step(statusIdle(requiresAction([toolUse])));
      else await step(toolResult(toolUse, result));
      return toolUse;
    },
  };
}

/** A picture of a desktop with a window and some lines in it. */
export async function desktopPicture(lines: readonly string[]): Promise<string> {
  const text = lines.map((line, index) => `<text x="150" y="${190 + index * 28}">${line}</text>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="768" font-family="DejaVu Sans Mono" font-size="18">
    <rect width="1024" height="768" fill="#3b5a6b"/><rect x="120" y="110" width="640" height="460" fill="#fff"/>
    <rect x="120" y="110" width="640" height="34" fill="#d8dde0"/><text x="380" y="133">list.txt</text>${text}</svg>`;
  return (await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64');
}

export function picture(data: string): Parameters<typeof toolResult>[1] {
  return {
    content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
    is_error: false,
  };
}

/** A finished session like the demo's. */
export async function seedDemo(store: Store): Promise<SeededSession> {
  const session = await seedSession(store, 'Demo: a shopping list');
  const ok = (content: string): { content: string; is_error: boolean } => ({ content, is_error: false });
  await session.step({
    type: 'user.message',
    body: { content: [{ type: 'text', text: '- bash: echo milk > list.txt\n- say: Done.' }] },
  });
  await session.step(statusRunning());
  await session.use('bash', { command: "printf 'Shopping list\\n\\n- milk\\n' > list.txt" }, ok(''));
  await session.use(
    'str_replace_editor',
    { command: 'str_replace', path: '/home/agent/list.txt', old_str: 'milk', new_str: 'oat milk' },
    ok('The file /home/agent/list.txt has been edited.'),
  );
  for (const lines of [
    ['Shopping list'],
    ['Shopping list', '', '- oat milk'],
    ['Shopping list', '', '- oat milk', '- coffee'],
  ]) {
    await session.use('computer', { action: 'screenshot' }, picture(await desktopPicture(lines)));
  }
  await session.use(
    'computer',
    { action: 'left_click', coordinate: [400, 300] },
    {
      content: 'Coordinates 4000, 300 are out of bounds',
      is_error: true,
    },
  );
  await session.use('bash', { command: 'cat list.txt' }, ok('Shopping list\n\n- oat milk\n- coffee'));
  await session.step({
    type: 'agent.message',
    body: { content: [{ type: 'text', text: 'The list is written, edited and saved.' }] },
  });
  await session.step(statusIdle(END_TURN));
  return session;
}
