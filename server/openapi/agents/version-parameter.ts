import { API_VERSIONS, isVersioned, VERSION_HEADER } from '../../api-version.ts';
import type { Operation, Parameter, Paths } from '../document.ts';

const version: Parameter = {
  name: VERSION_HEADER,
  in: 'header',
  required: true,
  description: 'The version of the Messages API; what is answered is the same under each',
  schema: { type: 'string', enum: API_VERSIONS, default: API_VERSIONS.at(-1) ?? '' },
};

function withParameter(operation: Operation): Operation {
  return { ...operation, parameters: [...(operation.parameters ?? []), version] };
}

/** The paths with the header that those of the Messages API ask for. */
export function withVersion(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      isVersioned(path)
        ? Object.fromEntries(
            Object.entries(operations).map(([method, operation]) => [
              method,
              withParameter(operation as Operation),
            ]),
          )
        : operations,
    ]),
  ) as Paths;
}
