import { spawnSync } from 'node:child_process';
import { fc } from '../../support/fast-check.ts';
import { messageEvents } from '../../../messages/stream/message-events.ts';
import { messages } from './random-message.ts';

/** The official Python client's own accumulator, fed with our events, beside the message that they came from. */

const PYTHON = process.env['STEADYHAND_PYTHON'] ?? 'python3';

/** Reads a case a line and answers with the message that the client makes of its events. */
const PROGRAM = `
import json, sys
from anthropic.lib.streaming._beta_messages import accumulate_event
for line in sys.stdin:
    snapshot, buffers = None, {}
    for event in json.loads(line):
        snapshot = accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers, request_headers={})
    print(snapshot.model_dump_json(by_alias=True, warnings=False))
`;

const hasClient =
  spawnSync(PYTHON, ['-c', 'import anthropic.lib.streaming._beta_messages'], { encoding: 'utf8' }).status ===
  0;
const reason = hasClient
  ? ''
  : ` (skipped: ${PYTHON} has no package anthropic; STEADYHAND_PYTHON may name another)`;
const describeWithPython = hasClient ? describe : describe.skip;

/** Without what the client adds: fields that are null, and the place of structured outputs. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name, field]) => field !== null && name !== 'parsed_output');
  return Object.fromEntries(fields.map(([name, field]) => [name, told(field)]));
}

describeWithPython(`the Python client's accumulator${reason}`, () => {
  test('makes the same message of the events', () => {
    const cases = fc.sample(messages, 200);
    const input = cases.map((message) => JSON.stringify([...messageEvents(message)])).join('\n');
    const options = { input, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', PROGRAM], options);
    expect(stderr).toBe('');
    const made = stdout
      .trim()
      .split('\n')
      .map((line) => told(JSON.parse(line)));
    expect(made).toEqual(cases.map(told));
  }, 180_000);
});
