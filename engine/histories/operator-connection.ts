import { Connection } from '@temporalio/client';
import type { EngineConnection } from '../connection/engine.ts';
import { ADMIN_SERVICE, type ImportRequest, type ImportResponse, adminService } from './admin-service.ts';

type ImportMethod = (request: ImportRequest) => Promise<ImportResponse>;

/** A client's connection that knows the server's service for operators, too. */
export class OperatorConnection extends Connection {
  #apiKey: string | undefined;

  static async open(options: EngineConnection): Promise<OperatorConnection> {
    // `connect` makes an instance of the class that it is called on.
    const connection = (await this.connect(options)) as OperatorConnection;
    connection.#apiKey = options.apiKey;
    return connection;
  }

  async importPart(request: ImportRequest): Promise<ImportResponse> {
    const apiKey = this.#apiKey;
    const service = adminService.create(
      Connection.generateRPCImplementation({
        serviceName: ADMIN_SERVICE,
        client: this.client,
        callContextStorage: this.callContextStorage,
        ...(this.options.interceptors && { interceptors: this.options.interceptors }),
        staticMetadata: this.options.metadata,
        apiKeyFnRef: apiKey === undefined ? {} : { fn: () => apiKey },
      }),
      false,
      false,
    ) as unknown as { importWorkflowExecution: ImportMethod };
    return await service.importWorkflowExecution(request);
  }
}
