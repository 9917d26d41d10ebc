import type { CommitGroup } from '../persistence/commit-group.ts';
import type { SqliteDatabase } from '../persistence/database.ts';
import type { Clock } from '../primitives/clock.ts';
import { type DeploymentRecord, findVersion, hasQueue, newDeployment } from './deployment.ts';
import type { VersionRef } from '../primitives/version-ref.ts';

interface Row {
  readonly namespace: string;
  readonly name: string;
  readonly record: string;
}

/**
 * The worker deployments. They come to be when their first worker polls, and say which version's workers get the tasks of runs that
 * are not pinned to one.
 */
export class DeploymentRegistry {
  readonly #group: Pick<CommitGroup, 'transact' | 'writeLatest'>;
  readonly #now: Clock;
  readonly #save;
  readonly #delete;
  readonly #byNamespace = new Map<string, Map<string, DeploymentRecord>>();

  constructor(db: SqliteDatabase, group: Pick<CommitGroup, 'transact' | 'writeLatest'>, now: Clock) {
    this.#group = group;
    this.#now = now;
    this.#save = db.prepare(
      'INSERT OR REPLACE INTO worker_deployments (namespace, name, record) VALUES (?, ?, ?)',
    );
    this.#delete = db.prepare('DELETE FROM worker_deployments WHERE namespace = ? AND name = ?');
    for (const row of db.prepare('SELECT namespace, name, record FROM worker_deployments').all() as Row[])
      this.#of(row.namespace).set(row.name, JSON.parse(row.record) as DeploymentRecord);
  }

  find(namespace: string, name: string): DeploymentRecord | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  /** All of a namespace, by their names. */
  list(namespace: string): DeploymentRecord[] {
    const all = [...(this.#byNamespace.get(namespace)?.values() ?? [])];
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Records that a worker of this version polls this queue, when it is the first one to do so. */
  notePoll(namespace: string, version: VersionRef, queue: string, type: number): void {
    const now = this.#now();
    const deployment = this.find(namespace, version.deployment) ?? newDeployment(version.deployment, now);
    let record = findVersion(deployment, version.buildId);
    if (hasQueue(record, queue, type)) return;
    if (record === undefined) {
      record = { buildId: version.buildId, createTime: now, queues: [], metadata: {} };
      deployment.versions.push(record);
    }
    record.queues.push({ name: queue, type });
    this.#of(namespace).set(deployment.name, deployment);
    this.save(namespace, deployment);
  }

  /** Stores a deployment that was changed. */
  save(namespace: string, deployment: DeploymentRecord): void {
    const { name } = deployment;
    const text = JSON.stringify(deployment);
    this.#group.transact(() =>
      this.#group.writeLatest(`deployment/${namespace}/${name}`, () => this.#save.run(namespace, name, text)),
    );
  }

  remove(namespace: string, name: string): void {
    this.#of(namespace).delete(name);
    this.#group.transact(() =>
      this.#group.writeLatest(`deployment/${namespace}/${name}`, () => this.#delete.run(namespace, name)),
    );
  }

  /** Whether workers of a version have ever polled a queue. */
  serves(namespace: string, version: VersionRef, queue: string, type: number): boolean {
    const deployment = this.find(namespace, version.deployment);
    return deployment !== undefined && hasQueue(findVersion(deployment, version.buildId), queue, type);
  }

  /**
   * Finds the version whose workers get a task of this queue, and the revision of the routing that says so. A ramp takes its part of
   * the workflow ids, always the same ones, or with `ramped` all of them. Of several deployments that have the queue, the one that
   * was changed last counts.
   */
  route(
    namespace: string,
    queue: string,
    type: number,
    workflowId: string,
    { ramped = false }: { readonly ramped?: boolean } = {},
  ): { readonly version: VersionRef | undefined; readonly revision: number } {
    const { deployment, current, ramping } = this.routing(namespace, queue, type);
    if (deployment === undefined) return { version: undefined, revision: 0 };
    const isRamped = ramping !== undefined && (ramped || shareOf(workflowId) < ramping.percentage);
    const buildId = isRamped ? ramping.buildId : current;
    return {
      version: buildId === '' ? undefined : { deployment: deployment.name, buildId },
      revision: deployment.revision,
    };
  }

  /** Finds where a queue's tasks are sent; without a deployment they go to workers without a version. */
  routing(
    namespace: string,
    queue: string,
    type: number,
  ): {
    readonly deployment?: DeploymentRecord;
    readonly current: string;
    readonly ramping?: NonNullable<DeploymentRecord['ramping']>;
  } {
    let found: DeploymentRecord | undefined;
    const isServedBy = (deployment: DeploymentRecord, buildId: string): boolean =>
      buildId === '' || hasQueue(findVersion(deployment, buildId), queue, type);
    for (const deployment of this.#byNamespace.get(namespace)?.values() ?? []) {
      if (!deployment.versions.some((version) => hasQueue(version, queue, type))) continue;
      if (deployment.revision === 0 || !isServedBy(deployment, deployment.current)) continue;
      if (found === undefined || changedTime(deployment) > changedTime(found)) found = deployment;
    }
    if (found === undefined) return { current: '' };
    const { ramping } = found;
    const isRamping = ramping !== undefined && isServedBy(found, ramping.buildId);
    return { deployment: found, current: found.current, ...(isRamping && { ramping }) };
  }

  #of(namespace: string): Map<string, DeploymentRecord> {
    let deployments = this.#byNamespace.get(namespace);
    if (!deployments) this.#byNamespace.set(namespace, (deployments = new Map<string, DeploymentRecord>()));
    return deployments;
  }
}

function changedTime({ currentChangedTime = 0, percentageChangedTime = 0 }: DeploymentRecord): number {
  return Math.max(currentChangedTime, percentageChangedTime);
}

/** A number from 0 to 100 that depends on the text alone (FNV-1a). */
function shareOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  // The low bits of short texts differ too little.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return ((hash >>> 8) / 2 ** 24) * 100;
}
