import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Connection } from '@temporalio/client';
import { copyEngine, type Engine, startEngine } from '@steadyhand/engine';
import { createWorkflowService } from '@steadyhand/temporal';

const PAGE = 200;

export interface ExportRequest {
  /** The folder of the embedded engine. */
  readonly engineDir: string;
  readonly namespace: string;
  /** The folder of the files; those of an earlier attempt are replaced. */
  readonly into: string;
  readonly progress: (line: string) => void;
}

/**
 * Writes the history of every run of a namespace as a file that Temporal's tools and the page /workflows read, and answers
 * their number. They are read from a copy of the engine, because an engine that is started goes on with what is due.
 */
export async function exportHistories({
  engineDir,
  namespace,
  into,
  progress,
}: ExportRequest): Promise<number> {
  await mkdir(into, { recursive: true, mode: 0o700 });
  const copy = path.join(into, '.engine');
  await rm(copy, { recursive: true, force: true });
  try {
    if (!(await copyEngine(engineDir, copy))) return 0;
    const engine = await startEngine({ kind: 'embedded', dataDir: copy, port: 0, namespace });
    try {
      return await writeFiles(engine, into, progress);
    } finally {
      await engine.stop();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function writeFiles(
  engine: Engine,
  into: string,
  progress: ExportRequest['progress'],
): Promise<number> {
  const { namespace } = engine;
  const connection = await Connection.connect(engine.connection);
  const { signal } = new AbortController();
  let written = 0;
  try {
    const service = createWorkflowService({
      connection,
      namespace,
      engine: engine.kind,
      // A file of the operator's own is whole, so that it can be replayed.
      scrub: (text) => text,
      machines: async () => ({}),
    });
    let page: string | null = null;
    do {
      const found: Awaited<ReturnType<typeof service.list>> = await service.list('', { limit: PAGE, page });
      for (const { workflow_id: workflowId, run_id: runId } of found.data) {
        const file = path.join(into, `${encodeURIComponent(workflowId)}.${runId}.json`);
        await pipeline(
          service.historyFile({ workflowId, runId }, signal),
          createWriteStream(file, { mode: 0o600 }),
        );
        written += 1;
        progress(`histories: ${written}`);
      }
      page = found.next_page;
    } while (page !== null);
  } finally {
    await connection.close();
  }
  return written;
}
