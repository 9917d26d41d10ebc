import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWholeFile } from '@steadyhand/store';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The organization's id in answers: the configured one, else one that is made at the first start and kept. */
export async function organizationId(dataDir: string, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  const file = path.join(dataDir, 'organization-id');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (UUID.test(kept.trim())) return kept.trim();
  const id = randomUUID();
  await mkdir(dataDir, { recursive: true });
  await writeWholeFile(file, `${id}\n`);
  return id;
}
