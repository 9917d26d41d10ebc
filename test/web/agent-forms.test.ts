import type { Agent } from '../../web/client/api.ts';
import { updateOf, valueOf } from '../../web/agents/form/agent-value.ts';
import { offered, toolTitle } from '../../web/agents/tool-words.ts';
import { fieldChanges } from '../../web/agents/versions/field-changes.ts';
import { wholeConfig } from '../../web/environments/form/whole-config.ts';
import { faultsOf } from '../../web/parts/schema-form/faults.ts';
import { initialValue, type JsonSchema, shapeOf } from '../../web/parts/schema-form/json-schema.ts';
import { serverFault } from '../../web/parts/schema-form/server-fault.ts';

/** What the forms of agents and environments send, and where they say what was refused. */

const AGENT: Agent = {
  id: 'agent_1',
  type: 'agent',
  version: 3,
  name: 'Clerk',
  description: null,
  model: { id: 'script' },
  system: 'One.\nTwo.',
  tools: [],
  metadata: { team: 'office', old: 'yes' },
  mcp_servers: [],
  skills: [],
  multiagent: null,
  execution_identity: { type: 'service_account' },
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  archived_at: null,
};

test('what was taken out of an agent is sent as null, because what is left out stays', () => {
  const { system: _system, ...value } = valueOf({ ...AGENT, policy: { rules: [] } });
  const { policy: _policy, ...rest } = value;
  expect(updateOf({ ...rest, metadata: { team: 'shop' } }, AGENT)).toEqual({
    name: 'Clerk',
    model: 'script',
    description: null,
    system: null,
    tools: [],
    policy: null,
    context_care: null,
    metadata: { team: 'shop', old: null },
    version: 3,
  });
});

test('a model with settings keeps them', () => {
  const model = { id: 'script', effort: { type: 'high' } } as const;
  expect(valueOf({ ...AGENT, model })['model']).toEqual(model);
});

test('two versions differ by field, the system prompt by its lines', () => {
  const after = { ...AGENT, system: 'One.\nThree.', metadata: {} };
  expect(fieldChanges(AGENT, AGENT)).toEqual([]);
  const changes = fieldChanges(AGENT, after);
  expect(changes.map(({ label }) => label)).toEqual(['System prompt', 'Metadata']);
  expect(changes[0]?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same One.',
    'gone Two.',
    'new Three.',
  ]);
});

test.each([
  ['name: Field required', '/name', 'Field required.'],
  ['tools.0.input_schema.type: Input should be ok', '/tools/0/input_schema/type', 'Input should be ok.'],
  ['tools: Tool names must be unique.', '/tools', 'Tool names must be unique.'],
  ['name: expected this: or that', '/name', 'expected this: or that.'],
])('%j is shown at %s', (message, place, text) => {
  expect(serverFault(message, ['name', 'tools'])).toEqual({ place, text });
});

test.each(['The server cannot be reached.', 'version: Agent is at version 3', 'No model: nothing'])(
  '%j has no place in the form',
  (message) => {
    expect(serverFault(message, ['name', 'tools'])).toBeUndefined();
  },
);

test('tools are named by family and generation, the newest first, one’s own last', () => {
  expect(toolTitle('computer_20251124')).toBe('Computer, 2025-11-24');
  expect(toolTitle('agent_toolset_20260401')).toBe('Agent toolset, 2026-04-01');
  expect(toolTitle('something_else')).toBe('something_else');
  expect(offered(['custom', 'bash_20241022', 'computer_20251124'])).toEqual([
    'computer_20251124',
    'bash_20241022',
    'custom',
  ]);
});

test('a configuration says of each part what it is', () => {
  expect(wholeConfig({ type: 'cloud', networking: { type: 'limited', allow_mcp_servers: true } })).toEqual({
    type: 'cloud',
    networking: {
      type: 'limited',
      allowed_hosts: [],
      allow_package_managers: false,
      allow_mcp_servers: true,
    },
    packages: {},
  });
  expect(wholeConfig({ type: 'self_hosted' })).toEqual({ type: 'self_hosted' });
  expect(wholeConfig(null)).toBeNull();
});

const PET: JsonSchema = {
  anyOf: [
    { type: 'object', properties: { type: { const: 'cat' } }, required: ['type'] },
    {
      type: 'object',
      properties: { type: { const: 'dog' }, tricks: { type: 'array', items: { type: 'string' } } },
      required: ['type', 'tricks'],
    },
  ],
};

test('objects that their type tells apart are asked for by type, and checked as that type', () => {
  expect(shapeOf(PET, PET)).toMatchObject({ kind: 'variant', nullable: false });
  expect(initialValue(PET)).toEqual({ type: 'cat' });
  expect(faultsOf(PET, { type: 'cat' }).size).toBe(0);
  expect(Object.fromEntries(faultsOf(PET, { type: 'dog' }))).toEqual({ '/tricks': 'This is needed.' });
  expect(Object.fromEntries(faultsOf(PET, { type: 'cow' }))).toEqual({ '': 'Expected a type: cat, dog.' });
});

test('one or several are asked for as a list, and one alone is right', () => {
  const some: JsonSchema = {
    anyOf: [
      { type: 'string', minLength: 2 },
      { type: 'array', items: { type: 'string', minLength: 2 } },
    ],
  };
  expect(shapeOf(some, some).kind).toBe('array');
  expect(faultsOf(some, 'ab').size).toBe(0);
  expect([...faultsOf(some, 'a').keys()]).toEqual(['']);
  expect([...faultsOf(some, ['ab', 'c']).keys()]).toEqual(['/1']);
});
