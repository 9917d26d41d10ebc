import { SandboxFiles } from '../sandbox/client/files.ts';
import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import type { SandboxFileService } from '../server/services.ts';
import { asked } from './sandbox-service.ts';

/** The files of sandboxes as the server uses them: their errors become the API's. */
export function sandboxFileService(sandboxes: Pick<Sandboxes, 'reach'>): SandboxFileService {
  const files = new SandboxFiles(sandboxes);
  return {
    list: (...given) => asked(() => files.list(...given)),
    describe: (...given) => asked(() => files.describe(...given)),
    read: (...given) => asked(() => files.read(...given)),
    write: (...given) => asked(() => files.write(...given)),
    remove: (...given) => asked(() => files.remove(...given)),
    makeFolder: (...given) => asked(() => files.makeFolder(...given)),
    move: (...given) => asked(() => files.move(...given)),
  };
}
