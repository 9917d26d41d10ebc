import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStore } from '../../../store/contract/objects.ts';
import { openDiskObjects } from '../../../store/disk/disk-objects.ts';
import { parseS3Address } from '../../../store/s3/address.ts';
import { openS3Objects } from '../../../store/s3/s3-objects.ts';
import { startS3Server } from '../../support/s3-server.ts';

/** An object store of one kind, opened for tests; `close` removes what is in it. */
export interface OpenedObjects {
  readonly objects: ObjectStore;
  close(): Promise<void>;
}

type Open = (now?: () => number) => Promise<OpenedObjects>;

async function onDisk(now?: () => number): Promise<OpenedObjects> {
  const dir = mkdtempSync(join(tmpdir(), 'steadyhand-objects-'));
  const objects = await openDiskObjects({ dir, ...(now !== undefined && { now }) });
  return { objects, close: async () => rmSync(dir, { recursive: true }) };
}

async function onTestServer(now?: () => number): Promise<OpenedObjects> {
  const server = await startS3Server({ pageSize: 3 });
  const { address, credentials } = server;
  const objects = openS3Objects({
    address: parseS3Address(address),
    credentials,
    ...(now !== undefined && { now }),
  });
  return {
    objects,
    async close() {
      objects.close();
      await server.close();
    },
  };
}

async function onRealStore(now?: () => number): Promise<OpenedObjects> {
  const given = parseS3Address(process.env['STEADYHAND_TEST_S3'] ?? '');
  const address = { ...given, prefix: `${given.prefix}${randomUUID()}/` };
  const credentials = {
    accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
    sessionToken: process.env['AWS_SESSION_TOKEN'],
  };
  const objects = openS3Objects({ address, credentials, ...(now !== undefined && { now }) });
  return {
    objects,
    async close() {
      for await (const page of objects.list('')) await objects.delete(page.map(({ name }) => name));
      await objects.removeUnfinished('', -1);
      objects.close();
    },
  };
}

/** The kinds of object stores; that of `STEADYHAND_TEST_S3=s3://...` where it is given, with its keys in AWS's variables. */
export const OBJECT_STORES: readonly (readonly [string, Open])[] = [
  ['a folder', onDisk],
  ["the tests' S3 server", onTestServer],
  ...(process.env['STEADYHAND_TEST_S3'] === undefined ? [] : [['a real S3 store', onRealStore] as const]),
];
