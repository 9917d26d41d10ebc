import { Readable } from 'node:stream';
import { SandboxError } from '@steadyhand/contracts';
import { type BytePath, encodePath } from '../byte-path.ts';
import type { TreeEntry } from '../guest-protocol/tree.ts';
import { ConnectionLostError } from './daemon-connection.ts';
import type { LinkMethod } from './link.ts';
import type { Sandboxes } from './sandboxes.ts';

export { type BytePath, bytePathOf, shownPath } from '../byte-path.ts';
export type { TreeEntry } from '../guest-protocol/tree.ts';

export interface ListFiles {
  /** Levels below the folder; null for all. Default 1. */
  readonly depth?: number | null;
  /** The path of the last entry of the page before. */
  readonly after?: BytePath;
  /** At most, and by default, 1,000. */
  readonly limit?: number;
}

/**
 * The files of a sandbox, reached from outside with the agent's rights. Paths are absolute. What is not there rejects with
 * SandboxError `not_found`, what cannot be done with SandboxError `invalid_request` or SandboxError `conflict`, a full disk with
 * SandboxError `storage_full`.
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

  /** A file's bytes as they are read; all of them, or those from `start` up to before `end`. */
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
   * Replaces the file in one step, or makes it, folders on the way too; until then, and when the bytes do not all come, what
   * was there stays. `mode` by default that of the file that was there, else 0644.
   */
  async write(
    id: string,
    path: BytePath,
    bytes: AsyncIterable<Uint8Array>,
    { mode }: { readonly mode?: number } = {},
  ): Promise<TreeEntry> {
    const route = `/files/content?path=${encodePath(path)}${modeQuery(mode)}`;
    return this.#sandboxes.reach(id, async (link) => {
      // A connection that was lost before is found out now, while the bytes can still be sent again.
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
