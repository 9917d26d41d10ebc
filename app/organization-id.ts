import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Store } from '@steadyhand/store';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The organization's id in answers: the configured one, else one that is made at the first start and kept in the store. Earlier
 * releases kept it in `<dataDir>/organization-id`.
 */
export async function organizationId(
  store: Pick<Store, 'settings'>,
  dataDir: string,
  configured: string | undefined,
): Promise<string> {
  if (configured !== undefined) return configured;
  const kept = (await readFile(path.join(dataDir, 'organization-id'), 'utf8').catch(() => '')).trim();
  return store.settings.getOrMake('organization-id', () => (UUID.test(kept) ? kept : randomUUID()));
}
