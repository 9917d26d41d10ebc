import { status } from '@grpc/grpc-js';
import { NamespaceState } from '../../../engine/embedded/protocol/proto.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';
import { EngineProcess } from './support/engine-process.ts';
import { startTestEngine } from './support/engine.ts';
import { errorOf, refusal } from './support/rpc-error.ts';

/** The expected answers were recorded from a real server of version 1.32.0. */

jest.setTimeout(60_000);

const engine = openedForAll(startTestEngine);
const service = madeForAll(() => engine.connection.workflowService);
const { NAMESPACE_STATE_DEPRECATED, NAMESPACE_STATE_REGISTERED } = NamespaceState;
const { ALREADY_EXISTS, INVALID_ARGUMENT, NOT_FOUND } = status;
const seconds = (count: number) => ({ seconds: count as never });
const day = { workflowExecutionRetentionPeriod: seconds(86_400) };
const noRetention = refusal(INVALID_ARGUMENT, 'A valid retention period is not set on request.');

test('what was registered is described, changed field by field, and outlives a restart', async () => {
  const own = new EngineProcess();
  await own.start();
  try {
    const { workflowService } = (await own.connect()).connection;
    const namespace = 'told';
    await workflowService.registerNamespace({
      namespace,
      description: 'd',
      ownerEmail: 'o@x',
      data: { k: 'v' },
      ...day,
    });
    await workflowService.updateNamespace({ namespace, updateInfo: { data: { k: 'v2', a: 'b' } } });
    await workflowService.updateNamespace({
      namespace,
      config: { badBinaries: { binaries: { bad: { reason: 'r', operator: 'me' } } } },
    });
    await workflowService.deprecateNamespace({ namespace });
    await own.restart();
    const told = await (await own.connect()).connection.workflowService.describeNamespace({ namespace });
    expect(told.namespaceInfo).toMatchObject({
      state: NAMESPACE_STATE_DEPRECATED,
      description: 'd',
      ownerEmail: 'o@x',
      data: { k: 'v2', a: 'b' },
      supportsSchedules: true,
    });
    expect(told.config?.badBinaries?.binaries?.['bad']).toMatchObject({ reason: 'r', operator: 'me' });
  } finally {
    await own.close();
  }
});

test('a deprecated namespace goes on taking workflows, and may be registered again by an update', async () => {
  const namespace = 'old';
  await service.registerNamespace({ namespace, ...day });
  await service.deprecateNamespace({ namespace });
  const started = await service.startWorkflowExecution({
    namespace,
    workflowId: 'w',
    workflowType: { name: 't' },
    taskQueue: { name: 'q' },
    requestId: 'r',
  });
  expect(started.started).toBe(true);
  const { namespaceInfo } = await service.updateNamespace({
    namespace,
    updateInfo: { state: NAMESPACE_STATE_REGISTERED },
  });
  expect(namespaceInfo?.state).toBe(NAMESPACE_STATE_REGISTERED);
});

test('namespaces are listed in pages', async () => {
  await service.registerNamespace({ namespace: 'listed', ...day });
  const names: string[] = [];
  let nextPageToken = new Uint8Array();
  do {
    const page = await service.listNamespaces({ pageSize: 1, nextPageToken });
    expect(page.namespaces.length).toBeLessThanOrEqual(1);
    names.push(...page.namespaces.map(({ namespaceInfo }) => namespaceInfo?.name ?? ''));
    nextPageToken = page.nextPageToken as Uint8Array<ArrayBuffer>;
  } while (nextPageToken.length > 0);
  expect(names).toEqual(expect.arrayContaining(['default', 'listed']));
  const all = await service.listNamespaces({});
  expect(all.namespaces.map(({ namespaceInfo }) => namespaceInfo?.name)).toEqual(names);
  expect((await service.listNamespaces({ nextPageToken: Buffer.from('x') })).namespaces).toEqual([]);
});

test('refusals', async () => {
  const namespace = 'refused';
  await service.registerNamespace({ namespace, ...day });
  const ttl = (count: number) => ({ config: { workflowExecutionRetentionTtl: seconds(count) } });
  const calls: [Promise<unknown>, object][] = [
    [service.updateNamespace({ namespace, ...ttl(60) }), noRetention],
    [
      service.registerNamespace({ namespace: 'short', workflowExecutionRetentionPeriod: seconds(60) }),
      noRetention,
    ],
    [service.registerNamespace({ namespace: 'none' }), noRetention],
    [
      service.registerNamespace({ namespace: 'x'.repeat(1001), ...day }),
      refusal(INVALID_ARGUMENT, 'Namespace length exceeds limit.'),
    ],
    [
      service.registerNamespace({ namespace, ...day }),
      refusal(ALREADY_EXISTS, `Namespace "${namespace}" already exists`, 'NamespaceAlreadyExistsFailure'),
    ],
    [
      service.registerNamespace({ namespace: 'global', isGlobalNamespace: true, ...day }),
      refusal(INVALID_ARGUMENT, 'Cannot register global namespace when not enabled'),
    ],
    [
      service.updateNamespace({ namespace, deleteBadBinary: 'x' }),
      refusal(INVALID_ARGUMENT, "Bad binary checksum x doesn't exists."),
    ],
    [
      service.updateNamespace({ namespace, promoteNamespace: true }),
      refusal(
        INVALID_ARGUMENT,
        `global namespace is not enabled on this cluster, cannot update global namespace or promote local namespace: ${namespace}`,
      ),
    ],
    [
      service.deprecateNamespace({ namespace: 'nope' }),
      refusal(NOT_FOUND, 'Namespace nope is not found.', 'NamespaceNotFoundFailure'),
    ],
  ];
  for (const [call, expected] of calls) expect(await errorOf(call)).toEqual(expected);
});
