import { Readable } from 'node:stream';
import { SandboxError } from '@steadyhand/contracts';
import { type BytePath, encodePath } from '../byte-path.ts';
import type { TreeEntry } from '../guest-protocol/tree.ts';
import { ConnectionLostError } from './connection/daemon-connection.ts';
import type { LinkMethod } from './connection/link.ts';
import type { Sandboxes } from './sandboxes.ts';

export { type BytePath, bytePathOf } from '../byte-path.ts';
export type { TreeEntry } from '../guest-protocol/tree.ts';

interface ListFiles {
  /** Levels below the folder, by default 1; null lists all. */
  readonly depth?: number | null;
  /** The path of the last entry of the previous page. */
  readonly after?: BytePath;
  /** At most 1,000, which is also the default. */
  readonly limit?: number;
}

/**
 * The files of a sandbox, read and written from outside with the agent's rights. Paths are absolute. A missing file
 * rejects with SandboxError `not_found`, an impossible operation with `invalid_request` or `conflict`, a full disk with
 * `storage_full`.
 */
export class SandboxFiles {
  readonly #sandboxes: Pick<Sandboxes, 'reach'>;

  constructor(sandboxes: Pick<Sandboxes, 'reach'>) {
    this.#sandboxes = sandboxes;
  }

  list(
    id: string,
    path: BytePath,
    { depth = 1, after, limit = 1000 }: ListFiles = {},
  ): Promise<{ readonly entries: readonly TreeEntry[]; readonly more: boolean }> {
    const place = after === undefined ? '' : `&after=${encodePath(after)}`;
    return this.#call(
      id,
      'GET',
      `/files?path=${encodePath(path)}&depth=${depth ?? 'all'}&limit=${limit}${place}`,
    );
  }

  describe(id: string, path: BytePath): Promise<TreeEntry> {
    return this.#call(id, 'GET', `/files/stat?path=${encodePath(path)}`);
  }

  /** Streams a file's bytes: all of them, or those from `start` up to but not including `end`. */
  async read(
    id: string,
    path: BytePath,
    range: { readonly start?: number; readonly end?: number } = {},
  ): Promise<{ readonly entry: TreeEntry; readonly body: Readable }> {
    const places = Object.entries(range).map(([name, value]) => `&${name}=${value}`);
    return this.#sandboxes.reach(id, async (link) => {
      const route = `/files/content?path=${encodePath(path)}${places.join('')}`;
      const { headers, body } = await link.stream('GET', route);
      const entry = JSON.parse(String(headers['x-entry'])) as TreeEntry;
      return { entry: { ...entry, path }, body };
    });
  }

  /**
   * Replaces or makes a file in one step, with the folders above it. Until all bytes have come, and when they do not,
   * the former file stays. The default of `mode` is that of the former file, or 0644.
   */
  async write(
    id: string,
    path: BytePath,
    bytes: AsyncIterable<Uint8Array>,
    { mode }: { readonly mode?: number } = {},
  ): Promise<TreeEntry> {
    const route = `/files/content?path=${encodePath(path)}${modeQuery(mode)}`;
    return this.#sandboxes.reach(id, async (link) => {
      // This call finds a lost connection while the bytes can still be sent again.
      await link.call('GET', '/health');
      try {
        const { body } = await link.stream('PUT', route, {
          body: Readable.from(bytes, { objectMode: false }),
        });
        const answer = Buffer.concat(await body.toArray()).toString('utf8');
        return JSON.parse(answer) as TreeEntry;
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        throw new SandboxError(
          'unavailable',
          'the connection was lost while the file was written; send it again',
          { sandbox: id },
        );
      }
    });
  }

  async remove(id: string, path: BytePath, recursive = false): Promise<void> {
    await this.#call(id, 'DELETE', `/files?path=${encodePath(path)}&recursive=${recursive}`);
  }

  makeFolder(id: string, path: BytePath, mode?: number): Promise<TreeEntry> {
    return this.#call(id, 'POST', `/files/folder?path=${encodePath(path)}${modeQuery(mode)}`);
  }

  move(id: string, from: BytePath, to: BytePath): Promise<TreeEntry> {
    return this.#call(id, 'POST', `/files/move?path=${encodePath(from)}&to=${encodePath(to)}`);
  }

  #call<T>(id: string, method: LinkMethod, route: string): Promise<T> {
    return this.#sandboxes.reach(id, (link) => link.call<T>(method, route));
  }
}

function modeQuery(mode: number | undefined): string {
  return mode === undefined ? '' : `&mode=${mode.toString(8)}`;
}
