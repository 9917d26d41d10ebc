import { rm } from 'node:fs/promises';
import { Connection } from '@temporalio/client';
import { copyEngine, exportHistories, startEngine } from '@steadyhand/engine';

export interface ExportRequest {
  /** The folder of the embedded engine. */
  readonly engineDir: string;
  readonly namespace: string;
  /** The folder of the files; those of an earlier attempt are replaced. */
  readonly into: string;
  /** Is told one sentence about each run that needs attention. */
  readonly report: (line: string) => void;
}

/**
 * Writes the history of every run of a namespace as a file that Temporal's tools and the page /workflows read, and answers
 * their number. They are read from a copy of the engine, because an engine that is started goes on with what is due.
 */
export async function exportEngineHistories({
  engineDir,
  namespace,
  into,
  report,
}: ExportRequest): Promise<number> {
  const copy = `${into}.engine`;
  await rm(copy, { recursive: true, force: true });
  try {
    if (!(await copyEngine(engineDir, copy))) return 0;
    const engine = await startEngine({ kind: 'embedded', dataDir: copy, port: 0, namespace });
    const connection = await Connection.connect(engine.connection);
    try {
      const runs = await exportHistories({ connection, namespace, folder: into, replace: true, report });
      return runs.length;
    } finally {
      await connection.close();
      await engine.stop();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
