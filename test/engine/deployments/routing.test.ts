import {
  findVersion,
  newDeployment,
  setCurrent,
  setRamping,
} from '../../../engine/embedded/deployments/deployment.ts';
import { DeploymentRegistry } from '../../../engine/embedded/deployments/deployment-registry.ts';
import { openDatabase } from '../../../engine/embedded/persistence/database.ts';

const WORKFLOW = 1;
const group = {
  transact: <T>(change: () => T): T => change(),
  writeLatest: (_: string, step: () => void) => step(),
};

function registry(): DeploymentRegistry {
  const deployments = new DeploymentRegistry(openDatabase(':memory:', 'normal'), group, () => 1000);
  for (const buildId of ['1', '2'])
    deployments.notePoll('default', { deployment: 'shop', buildId }, 'orders', WORKFLOW);
  return deployments;
}

function shares(deployments: DeploymentRegistry): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let id = 0; id < 2000; id++) {
    const { version } = deployments.route('default', 'orders', WORKFLOW, `order-${id}`);
    const name = version?.buildId ?? 'unversioned';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('without a current version, tasks go to workers without one', () => {
  expect(shares(registry())).toEqual({ unversioned: 2000 });
});

test('a ramp takes its part of the ids, and more of it keeps those that it had', () => {
  const deployments = registry();
  const shop = deployments.find('default', 'shop') ?? newDeployment('', 0);
  setCurrent(shop, '1', 1);
  setRamping(shop, { buildId: '2', percentage: 30 }, 2);
  const { '2': ramped = 0 } = shares(deployments);
  expect(ramped).toBeGreaterThan(500);
  expect(ramped).toBeLessThan(700);
  const isRamped = (id: string): boolean =>
    deployments.route('default', 'orders', WORKFLOW, id).version?.buildId === '2';
  const before = Array.from({ length: 200 }, (_, id) => `order-${id}`).filter(isRamped);
  setRamping(shop, { buildId: '2', percentage: 60 }, 3);
  expect(before.filter((id) => !isRamped(id))).toEqual([]);
  setRamping(shop, { buildId: '2', percentage: 100 }, 4);
  expect(shares(deployments)).toEqual({ '2': 2000 });
  setRamping(shop, undefined, 5);
  expect(shares(deployments)).toEqual({ '1': 2000 });
});

test('the deployment that was changed last has a queue that two share', () => {
  const deployments = registry();
  deployments.notePoll('default', { deployment: 'other', buildId: '7' }, 'orders', WORKFLOW);
  const shop = deployments.find('default', 'shop') ?? newDeployment('', 0);
  const other = deployments.find('default', 'other') ?? newDeployment('', 0);
  setCurrent(shop, '1', 10);
  setCurrent(other, '7', 20);
  expect(deployments.route('default', 'orders', WORKFLOW, 'x').version?.deployment).toBe('other');
  setCurrent(shop, '2', 30);
  expect(deployments.route('default', 'orders', WORKFLOW, 'x').version).toEqual({
    deployment: 'shop',
    buildId: '2',
  });
});

test('times of a version that was ramped, current and left', () => {
  const shop = newDeployment('shop', 0);
  shop.versions.push({ buildId: '1', createTime: 0, queues: [], metadata: {} });
  setRamping(shop, { buildId: '1', percentage: 5 }, 10);
  setRamping(shop, { buildId: '1', percentage: 50 }, 20);
  setCurrent(shop, '1', 30);
  expect(findVersion(shop, '1')).toMatchObject({
    firstActivationTime: 10,
    currentSince: 30,
    lastCurrentTime: 30,
  });
  expect(shop).toMatchObject({ revision: 3, rampingChangedTime: 30 });
  expect(shop.ramping).toBeUndefined();
  setCurrent(shop, '', 40);
  expect(findVersion(shop, '1')).toMatchObject({ lastDeactivationTime: 40, routingChangedTime: 40 });
  expect(findVersion(shop, '1')?.currentSince).toBeUndefined();
});

test('deployments are there after a restart', () => {
  const db = openDatabase(':memory:', 'normal');
  const first = new DeploymentRegistry(db, group, () => 5);
  first.notePoll('default', { deployment: 'shop', buildId: '1' }, 'orders', WORKFLOW);
  expect(new DeploymentRegistry(db, group, () => 6).find('default', 'shop')).toEqual(
    first.find('default', 'shop'),
  );
});
