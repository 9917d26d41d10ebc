import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createParts } from '../../../engine/embedded/engine-parts.ts';
import { grpcServices } from '../../../engine/embedded/handlers/grpc-services.ts';
import { openDatabase } from '../../../engine/embedded/persistence/database.ts';
import { root } from '../../../engine/embedded/protocol/proto.ts';
import { type TestEngine, quietLogger, startTestEngine } from './support/engine.ts';
import { errorOf } from './support/rpc-error.ts';

/** docs/engine.md names every method that is not served, and no other. */

const SERVICES = [
  'temporal.api.workflowservice.v1.WorkflowService',
  'temporal.api.operatorservice.v1.OperatorService',
] as const;

/** The methods of the API's services without a handler here. */
function leftOut(): string[] {
  const db = openDatabase(':memory:', 'normal');
  const parts = createParts(db, { logger: quietLogger });
  const served = grpcServices(parts);
  parts.timers.stop();
  parts.scheduleTimers.stop();
  db.close();
  return SERVICES.flatMap((name) => {
    const handlers = served[name] ?? {};
    const { methods } = root.lookupService(name);
    return Object.keys(methods).filter((method) => handlers[method] === undefined);
  });
}

const page = readFileSync(join(__dirname, '../../../docs/engine.md'), 'utf8');
const section = /## What is left out\n(.*?)\n## /s.exec(page)?.[1] ?? '';
const table = section.split('\n').filter((line) => line.startsWith('|'));
const named = [...table.join('\n').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

test('the page names every method that is left out, and none that is served', () => {
  expect(named.toSorted()).toEqual(leftOut().toSorted());
});

describe('what is left out', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.close());

  test('answers UNIMPLEMENTED', async () => {
    const { workflowService, operatorService } = engine.connection;
    const services = [workflowService, operatorService] as unknown as readonly Record<
      string,
      (request: object) => Promise<object>
    >[];
    for (const name of leftOut()) {
      const method = name.charAt(0).toLowerCase() + name.slice(1);
      const service = services.find((one) => method in one);
      if (!service) throw new Error(`no client has ${name}`);
      expect({ name, ...(await errorOf(service[method]!({ namespace: 'default' }))) }).toMatchObject({
        name,
        code: 12,
      });
    }
  });

  test('is off in the capabilities', async () => {
    const { capabilities: system } = await engine.connection.workflowService.getSystemInfo({});
    expect(system).toMatchObject({ nexus: false, serverScaledDeployments: false });
    const { namespaceInfo } = await engine.connection.workflowService.describeNamespace({
      namespace: 'default',
    });
    const on = Object.entries(namespaceInfo?.capabilities ?? {}).filter(([, isOn]) => isOn === true);
    expect(on.map(([name]) => name).toSorted()).toEqual([
      'asyncUpdate',
      'eagerWorkflowStart',
      'standaloneActivities',
      'standaloneActivityOperatorCommands',
      'standaloneActivityStartDelay',
      'syncUpdate',
      'workerHeartbeats',
      'workflowPause',
    ]);
  });
});
