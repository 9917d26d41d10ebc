import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { DEMO_SCRIPTS } from '../../web/start/scripts.ts';
import { ask, startServer, stopServers } from './harness.ts';

/** What forms and editors are made from has to agree with what the server takes. */

afterEach(stopServers);

type Check = (value: unknown) => boolean;

async function schemas(): Promise<{
  readonly agent: Check;
  readonly environment: Check;
  readonly script: Check;
}> {
  const { url } = await startServer();
  const check = async (name: string): Promise<Check> => {
    const { status, body } = await ask(`${url}/v1/schemas/${name}`);
    expect(status).toBe(200);
    return new Ajv2020({ strict: false }).compile(body);
  };
  return {
    agent: await check('agent'),
    environment: await check('environment'),
    script: await check('script'),
  };
}

test('each schema stands by itself, and holds what the API takes and refuses', async () => {
  const { agent, environment, script } = await schemas();
  expect(agent({ name: 'Clerk', model: 'script', tools: [{ type: 'agent_toolset_20260401' }] })).toBe(true);
  expect(agent({ name: 'Clerk', model: 'script', tools: [{ type: 'hammer' }] })).toBe(false);
  expect(agent({ model: 'script' })).toBe(false);
  expect(environment({ name: 'Quiet', config: { type: 'cloud', networking: { type: 'limited' } } })).toBe(
    true,
  );
  expect(environment({ name: 'Quiet', config: { type: 'cloud', networking: { type: 'closed' } } })).toBe(
    false,
  );
  expect(script([{ bash: 'ls' }, { say: 'Done.' }])).toBe(true);
  expect(script([{ bash: 'ls', say: 'Done.' }])).toBe(false);
});

test('the schema of scripts takes every demo', async () => {
  const { script } = await schemas();
  expect(DEMO_SCRIPTS.filter(({ steps }) => !script(parse(steps))).map(({ name }) => name)).toEqual([]);
});

test('a name that there is not is said, with those that there are', async () => {
  const { url } = await startServer();
  const { status, body } = await ask(`${url}/v1/schemas/session`);
  expect(status).toBe(404);
  expect(JSON.stringify(body)).toContain(
    'Schema not found: session; the names are agent, environment, script',
  );
});
