/**
 * A recorded session as a jest test: the model's replies come from the recording, everything below them is real. Needs a
 * running server (`npm start`) whose providers file has
 *
 *     providers:
 *       recordings: {type: replay, folder: recordings}
 *     models:
 *       - {model: "replay:*", provider: recordings}
 *
 * and a recording of a session that went well:
 *
 *     curl -s $STEADYHAND_URL/v1/sessions/sesn_.../recording > recordings/note.json
 */
import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import type { AgentCreateParams } from '@anthropic-ai/sdk/resources/beta/agents/agents.js';

/** As much of a recording as is asked for here. */
interface Recording {
  turns: [
    {
      request: Pick<AgentCreateParams, 'system' | 'tools'>;
      messages: [{ content: { type: 'text'; text: string }[] }];
    },
  ];
}

test('the agent does what it did when it was recorded', async () => {
  const { RECORDING = 'recordings/note.json', STEADYHAND_URL = 'http://127.0.0.1:8080' } = process.env;
  const recording = JSON.parse(readFileSync(RECORDING, 'utf8')) as Recording;
  const client = new Anthropic({ baseURL: STEADYHAND_URL, apiKey: process.env['API_KEY'] ?? 'unused' });

  const [{ request, messages }] = recording.turns;
  const agent = await client.beta.agents.create({ name: 'Recorded', model: 'replay:note', ...request });
  const environment = await client.beta.environments.create({ name: agent.id });
  const session = await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id });

  const happened: string[] = [];
  const stream = await client.beta.sessions.events.stream(session.id);
  await client.beta.sessions.events.send(session.id, {
    events: [{ type: 'user.message', content: messages[0].content }],
  });
  for await (const event of stream) {
    // A result that is not the recorded one ends the session, and the error says what differs and where.
    if (event.type === 'session.error') happened.push(event.error.message);
    if (event.type === 'session.status_idle') {
      happened.push(event.stop_reason.type);
      break;
    }
  }
  expect(happened).toEqual(['end_turn']);
}, 60_000);
