import type { ImportRequest, ImportResponse } from '../../histories/admin-service.ts';
import { importRun } from '../imports/import-run.ts';
import { StagedImports } from '../imports/staged-imports.ts';
import { History } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import type { Handlers } from '../rpc/call.ts';
import type { HandlerServices } from './handler-services.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The method by which histories of another service come in, part by part; the run is there after the last one. */
export function adminHandlers(
  services: Pick<HandlerServices, 'runs' | 'namespaces' | 'searchAttributes'>,
): Handlers {
  const staged = new StagedImports();
  return {
    ImportWorkflowExecution: (request: ImportRequest): ImportResponse => {
      const { name: namespace } = services.namespaces.get(request.namespace ?? '');
      const { workflowId, runId } = request.execution ?? {};
      if (!workflowId) throw invalidArgument('WorkflowId is not set on request.');
      if (!UUID.test(runId ?? '')) throw invalidArgument('Invalid RunId.');
      const ref = { namespace, workflowId, runId: runId ?? '' };
      const token = Buffer.from(request.token ?? []).toString();
      const blobs = request.historyBatches ?? [];
      if (blobs.length > 0) {
        const parts = blobs.map(({ data }) => [...(History.decode(data ?? new Uint8Array()).events ?? [])]);
        const bytes = blobs.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
        return { token: Buffer.from(staged.add(token, ref, parts, bytes)) };
      }
      if (token === '') {
        throw invalidArgument('ImportWorkflowExecution cannot import empty history events');
      }
      const batches = staged.take(token, ref);
      services.runs.transact(() => importRun(services, ref, batches));
      return {};
    },
  };
}
