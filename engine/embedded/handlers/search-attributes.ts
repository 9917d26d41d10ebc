import type { temporal } from '@temporalio/proto';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { predefinedAttributes, systemAttributes } from '../visibility/attribute-types.ts';
import type { SearchAttributeRegistry } from '../visibility/search-attribute-registry.ts';

type AddRequest = temporal.api.operatorservice.v1.IAddSearchAttributesRequest;
type RemoveRequest = temporal.api.operatorservice.v1.IRemoveSearchAttributesRequest;
type ListRequest = temporal.api.operatorservice.v1.IListSearchAttributesRequest;
type ListResponse = temporal.api.operatorservice.v1.IListSearchAttributesResponse;

/** The search attribute methods of OperatorService. They throw `RpcError`. */
interface OperatorHandlers {
  AddSearchAttributes(request: AddRequest): Record<string, never>;
  RemoveSearchAttributes(request: RemoveRequest): Record<string, never>;
  ListSearchAttributes(request: ListRequest): ListResponse;
}

/** @param requireNamespace throws for a namespace that does not exist */
export function operatorHandlers(
  registry: SearchAttributeRegistry,
  requireNamespace: (namespace: string) => void,
): OperatorHandlers {
  const namespaceOf = (request: { namespace?: string | null }): string => {
    if (!request.namespace) throw invalidArgument('Namespace is not set on request.');
    requireNamespace(request.namespace);
    return request.namespace;
  };
  return {
    AddSearchAttributes: (request) => {
      const attributes = request.searchAttributes ?? {};
      if (Object.keys(attributes).length === 0) throw notSet();
      registry.add(namespaceOf(request), attributes);
      return {};
    },
    RemoveSearchAttributes: (request) => {
      const names = request.searchAttributes ?? [];
      if (names.length === 0) throw notSet();
      registry.remove(namespaceOf(request), names);
      return {};
    },
    ListSearchAttributes: (request) => {
      const builtIn = [...systemAttributes.values(), ...predefinedAttributes.values()];
      return {
        customAttributes: Object.fromEntries(registry.types(namespaceOf(request))),
        systemAttributes: Object.fromEntries(builtIn.map(({ name, type }) => [name, type])),
      };
    },
  };
}

function notSet(): Error {
  return invalidArgument('SearchAttributes are not set on request.');
}
