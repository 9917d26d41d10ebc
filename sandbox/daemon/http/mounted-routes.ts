import { type MountedFile, SandboxError } from '@steadyhand/contracts';
import { errorText, isDiskFull } from '../../error-fields.ts';
import { invalidRequest } from '../../invalid-request.ts';
import type { MountedFiles } from '../computer/mounted-files.ts';
import { type DaemonRoutes, readJson } from './exchange.ts';

/** `POST /mounted {files: [{path, id}]}` -> `{missing: [id]}`, and `PUT /mounted?path=&id=` with a file's bytes. */
export function mountedRoutes({ mounted }: { readonly mounted: MountedFiles }): DaemonRoutes {
  return {
    'POST /mounted': async ({ request }) => {
      const { files } = (await readJson(request)) as { readonly files?: unknown };
      if (!Array.isArray(files)) throw invalidRequest('files: expected a list');
      return { missing: await mounted.settle(files.map(readFile)) };
    },
    'PUT /mounted': async ({ request, query }) => {
      const file = readFile({ path: query.get('path'), id: query.get('id') });
      try {
        await mounted.write(file, request as AsyncIterable<Buffer>);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        throw new SandboxError('storage_full', errorText(error));
      }
      return {};
    },
  };
}

function readFile(value: unknown): MountedFile {
  const { path, id } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof id !== 'string' || id === '') throw invalidRequest('id: expected a string');
  const parts = typeof path === 'string' ? path.split('/') : [];
  const isRelative = parts.length > 0 && parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (typeof path !== 'string' || !isRelative || path.includes('\0')) {
    throw invalidRequest('path: expected a relative path that leads downwards');
  }
  return { path, id };
}
