import { permissionDenied, RpcError } from '../protocol/rpc-error.ts';
import { decodeTaskToken } from '../protocol/task-token.ts';
import type { Caller } from './access.ts';

/** Methods that tell nothing of any namespace. Every client calls the first when it connects. */
const OPEN = new Set(['GetSystemInfo', 'GetClusterInfo', 'Check']);

/** Its batches are bytes here, and what they hold may start runs in any namespace. */
const FOR_ALL_NAMESPACES = new Set(['ImportWorkflowExecution']);

/**
 * Lets a caller of some namespaces use these alone: every namespace that the request names, at any depth (a command may start a
 * child elsewhere), and that of its task token. A request that names none is for those who may use all.
 *
 * @throws RpcError PERMISSION_DENIED "Request unauthorized.", as the server's own authorizer
 */
export function requireNamespaces({ namespaces }: Caller, method: string, request: object): void {
  if (namespaces === undefined || OPEN.has(method)) return;
  const named = new Set<string>();
  addNamespaces(request, named);
  const isAllowed =
    !FOR_ALL_NAMESPACES.has(method) && named.size > 0 && [...named].every((name) => namespaces.has(name));
  if (!isAllowed) throw permissionDenied('Request unauthorized.');
}

function addNamespaces(value: unknown, named: Set<string>): void {
  // Payloads are bytes, and what they hold is nobody's business here.
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  for (const [field, item] of Object.entries(value)) {
    if (isNamespaceField(field) && typeof item === 'string' && item !== '') named.add(item);
    else if (field === 'taskToken' && item instanceof Uint8Array) addTokenNamespace(item, named);
    else addNamespaces(item, named);
  }
}

function isNamespaceField(field: string): boolean {
  return field === 'namespace' || field === 'workflowNamespace' || field === 'parentWorkflowNamespace';
}

function addTokenNamespace(bytes: Uint8Array, named: Set<string>): void {
  try {
    const token = decodeTaskToken(bytes);
    if (token.kind !== 'query') named.add(token.namespace);
  } catch (error) {
    // The handler says what is wrong with the token.
    if (!(error instanceof RpcError)) throw error;
  }
}
