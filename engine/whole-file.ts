import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file so that a crash or a power cut leaves the old one or the new one, whole. One process writes it at a time. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Makes names that were created or renamed in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
