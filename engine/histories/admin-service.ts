import type { google, temporal } from '@temporalio/proto';
import protobuf from 'protobufjs';

/**
 * The server's own service for operators, of which Temporal's API package has nothing. Only the method that imports a
 * history is declared: the server has it on the same port as the others, unless its operator has closed it.
 */
export const ADMIN_SERVICE = 'temporal.server.api.adminservice.v1.AdminService';

type IDataBlob = temporal.api.common.v1.IDataBlob;
type Long = google.protobuf.IDuration['seconds'];

/** A part of a run's history, or, without batches, the word that it was the last part. */
export interface ImportRequest {
  readonly namespace?: string | null;
  readonly execution?: temporal.api.common.v1.IWorkflowExecution | null;
  /** Messages `History`, encoded: each the events of one transaction. */
  readonly historyBatches?: readonly IDataBlob[] | null;
  /** How far the events of each version of the namespace go; one item where it never failed over. */
  readonly versionHistory?: {
    readonly items?: readonly { readonly eventId?: Long | number; readonly version?: Long | number }[] | null;
  } | null;
  /** What the answer to the part before gave; empty for the first part. */
  readonly token?: Uint8Array | null;
}

export interface ImportResponse {
  readonly token?: Uint8Array;
}

const int64 = (id: number): protobuf.IField => ({ type: 'int64', id });
const text = (id: number): protobuf.IField => ({ type: 'string', id });
const bytes = (id: number): protobuf.IField => ({ type: 'bytes', id });
const message = (type: string, id: number): protobuf.IField => ({ type, id });
const list = (type: string, id: number): protobuf.IField => ({ type, id, rule: 'repeated' });

const adminRoot = new protobuf.Root();
adminRoot.define('temporal.server.api.adminservice.v1', {
  WorkflowExecution: { fields: { workflowId: text(1), runId: text(2) } },
  DataBlob: { fields: { encodingType: { type: 'int32', id: 1 }, data: bytes(2) } },
  VersionHistoryItem: { fields: { eventId: int64(1), version: int64(2) } },
  VersionHistory: { fields: { branchToken: bytes(1), items: list('VersionHistoryItem', 2) } },
  ImportWorkflowExecutionRequest: {
    fields: {
      namespace: text(1),
      execution: message('WorkflowExecution', 2),
      historyBatches: list('DataBlob', 3),
      versionHistory: message('VersionHistory', 4),
      token: bytes(5),
    },
  },
  ImportWorkflowExecutionResponse: { fields: { token: bytes(1) } },
  AdminService: {
    methods: {
      ImportWorkflowExecution: {
        requestType: 'ImportWorkflowExecutionRequest',
        responseType: 'ImportWorkflowExecutionResponse',
      },
    },
  },
});

export const adminService: protobuf.Service = adminRoot.lookupService(ADMIN_SERVICE);
