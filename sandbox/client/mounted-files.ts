import { Readable } from 'node:stream';
import type { MountedFile } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

interface FileToMount extends MountedFile {
  /** Called when the file is missing in the sandbox, and again when the connection is lost meanwhile. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Makes these files the only ones below `/mnt/session/uploads`. A file that has its id already is left alone. */
export async function mountInSandbox(
  sandboxes: Pick<Sandboxes, 'reach'>,
  id: string,
  files: readonly FileToMount[],
): Promise<void> {
  const wanted = files.map((file) => ({ path: file.path, id: file.id }));
  await sandboxes.reach(id, async (link) => {
    const { missing } = await link.call<{ readonly missing: readonly string[] }>('POST', '/mounted', {
      body: { files: wanted },
    });
    for (const file of files.filter((each) => missing.includes(each.id))) {
      const query = new URLSearchParams({ path: file.path, id: file.id });
      const bytes = Readable.from(await file.open(), { objectMode: false });
      const { body } = await link.stream('PUT', `/mounted?${query.toString()}`, { body: bytes });
      body.resume();
    }
  });
}
