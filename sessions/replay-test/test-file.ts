/** The test of an exported session. It needs Node alone, and is the same for every session. */
export const TEST_FILE = `/**
 * A recorded session as a test: the model's replies come from the recording, everything below them is real. It needs a running
 * Steadyhand server with the providers of providers.yaml:
 *
 *     PROVIDERS=providers.yaml npm start
 *     STEADYHAND_URL=http://127.0.0.1:8080 node --test replay.test.mjs
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const { STEADYHAND_URL = 'http://127.0.0.1:8080', STEADYHAND_API_KEY } = process.env;
const recorded = JSON.parse(readFileSync(new URL('session.json', import.meta.url), 'utf8'));

async function api(method, path, body) {
  const headers = { 'content-type': 'application/json' };
  if (STEADYHAND_API_KEY !== undefined) headers['x-api-key'] = STEADYHAND_API_KEY;
  const response = await fetch(STEADYHAND_URL + '/v1/' + path, { method, headers, body: JSON.stringify(body) });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

/** Waits until the session is idle; answers why it is. */
async function idle(session) {
  for (;;) {
    const { data } = await api('GET', 'sessions/' + session + '/events?order=desc&limit=1');
    if (data[0]?.type === 'session.status_idle') return data[0].stop_reason;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function events(session) {
  const all = [];
  for (let page = ''; page !== null;) {
    const found = await api('GET', 'sessions/' + session + '/events?limit=1000&sources=url' + page);
    all.push(...found.data);
    page = found.next_page === null ? null : '&page=' + encodeURIComponent(found.next_page);
  }
  return all;
}

test('the agent does what it did when it was recorded', async () => {
  const agent = await api('POST', 'agents', recorded.agent);
  const environment = await api('POST', 'environments', { ...recorded.environment, name: agent.id });
  const made = { ...recorded.session, agent: agent.id, environment_id: environment.id };
  const { id } = await api('POST', 'sessions', made);
  const answers = [...recorded.answers];
  let ended;
  for (const group of recorded.sent) {
    await api('POST', 'sessions/' + id + '/events', { events: group });
    for (ended = await idle(id); ended.type === 'requires_action'; ended = await idle(id)) {
      const given = ended.event_ids.map((use) => {
        const answer = answers.shift();
        assert.ok(answer, 'the session asks more often than it did');
        const name = answer.type === 'user.tool_confirmation' ? 'tool_use_id' : 'custom_tool_use_id';
        return { ...answer, [name]: use };
      });
      await api('POST', 'sessions/' + id + '/events', { events: given });
    }
  }
  const log = await events(id);
  // A result that is not the recorded one ends a turn, and the error says what differs and where.
  const errors = log.filter(({ type }) => type === 'session.error').map(({ error }) => error.message);
  const happened = log.flatMap((event) => {
    if (/^agent\\.(custom_)?tool_use$/.test(event.type)) return [{ used: event.name, input: event.input }];
    if (event.type !== 'agent.message') return [];
    return [{ said: event.content.map(({ text }) => text).join('') }];
  });
  assert.deepEqual({ errors, happened, ended: ended.type }, {
    errors: [],
    happened: recorded.happened,
    ended: recorded.ended,
  });
});
`;
