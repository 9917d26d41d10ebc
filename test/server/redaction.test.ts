import { assertProperty, fc } from '../support/fast-check.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import { createScrub } from '../../server/auth/redaction.ts';

const CLIENT = 'open-sesame-2026';
const UPSTREAM = 'upstream"key\\with-quotes';
const scrub = createScrub([UPSTREAM], [clientKey(CLIENT), clientKey('not-ours-2026')]);

it.each([
  ['a configured key', `the upstream says ${UPSTREAM}.`, 'the upstream says [hidden].'],
  ['in JSON', JSON.stringify({ told: UPSTREAM }), '{"told":"[hidden]"}'],
  ['in a URL', `GET /v1/${encodeURIComponent(UPSTREAM)}/x`, 'GET /v1/[hidden]/x'],
  [
    "a client's key, of which only the digest is known",
    `No such route: GET /v1/${CLIENT}`,
    'No such route: GET /v1/[hidden]',
  ],
  ['in a query', `?key=${CLIENT}&x=1`, '?key=[hidden]&x=1'],
  ['at the end of a sentence', `model: ${CLIENT}`, 'model: [hidden]'],
  [
    'in the path of a field',
    `tools.0.${CLIENT}: Extra inputs are not permitted`,
    '[hidden] Extra inputs are not permitted',
  ],
  ['in JSON, too', JSON.stringify({ path: `/v1/${CLIENT}` }), '{"path":"/v1/[hidden]"}'],
  [
    'what looks like a key',
    'Incorrect API key provided: sk-proj-abcDEF_123456.',
    'Incorrect API key provided: [hidden].',
  ],
  ['of Anthropic', 'x sk-ant-api03-AbC_dEf-123 y', 'x [hidden] y'],
  ['on a line of its own', JSON.stringify('keys:\nsk-ant-api03-AbC_dEf'), '"keys:\\n[hidden]"'],
  ['a cloud key on a line of its own', JSON.stringify('\tAKIA0123456789ABCDEF'), '"\\t[hidden]"'],
  ["a digest's key on a line of its own", JSON.stringify(`keys:\n${CLIENT}`), '"keys:\\n[hidden]"'],
  ['a key behind a control character', JSON.stringify(`\u001b${CLIENT}`), '"\\u001b[hidden]"'],
  ['a key behind a backslash', JSON.stringify('C:\\not-ours-2026'), '"C:\\\\[hidden]"'],
  ['a bearer token on a line of its own', JSON.stringify('\nBearer abc.def-ghi'), '"\\nBearer [hidden]"'],
  ['a bearer token', 'authorization: Bearer abc.def-ghi', 'authorization: Bearer [hidden]'],
])('%s is taken out', (_what, text, scrubbed) => {
  expect(scrub(text)).toBe(scrubbed);
});

it.each([
  'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A09q90qw90lq917835lq9.',
  'invalid x-api-key',
  'task-queue.ts and disk-usage of msg_0123456789abcdef in req_0123456789abcdef',
  'model: claude-sonnet-4-5-20250929',
])('%s stays as it is', (text) => {
  expect(scrub(text)).toBe(text);
});

it('JSON stays JSON, with nothing left of a key wherever it stands', () => {
  const parts = fc.array(fc.oneof(fc.string(), fc.constantFrom(UPSTREAM, CLIENT, 'sk-ant-0123456789')), {
    maxLength: 6,
  });
  assertProperty(100, parts, (drawn) => {
    const value = { text: drawn.join(' '), list: drawn };
    const scrubbed = scrub(JSON.stringify(value));
    const parsed = JSON.parse(scrubbed) as typeof value;
    expect(JSON.stringify(parsed)).not.toMatch(/open-sesame|with-quotes|sk-ant-0/);
    expect(parsed.list).toHaveLength(drawn.length);
  });
});
