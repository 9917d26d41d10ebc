import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { IndexedValueType } from './embedded/visibility/attribute-types.ts';
import type { Engine } from './connection/engine.ts';

export type SearchAttributeType = keyof typeof IndexedValueType;

const someValue: Record<SearchAttributeType, string> = {
  Text: `'x'`,
  Keyword: `'x'`,
  Int: '1',
  Double: '1.5',
  Bool: 'true',
  Datetime: `'2000-01-01T00:00:00Z'`,
  KeywordList: `'x'`,
};
const grpcInvalidArgument = 3;

/**
 * Makes sure that a namespace has search attributes, and registers them where that is allowed. Answers whether runs can
 * carry them: a cluster may forbid registering (its administrator can do it), have no field left, or know a name with
 * another type. A service caches what a namespace has, so this waits some seconds for new attributes.
 *
 * @throws ServiceError when the service cannot be reached
 */
export async function ensureSearchAttributes(
  engine: Pick<Engine, 'connection' | 'namespace'>,
  attributes: Readonly<Record<string, SearchAttributeType>>,
  { timeoutMs = 15_000 }: { readonly timeoutMs?: number } = {},
): Promise<boolean> {
  const connection = await Connection.connect(engine.connection);
  const { namespace } = engine;
  const usable = (): Promise<boolean> => areSearchable(connection, namespace, attributes);
  try {
    if (await usable()) return true;
    const searchAttributes = Object.fromEntries(
      Object.entries(attributes).map(([name, type]) => [name, IndexedValueType[type]]),
    );
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
      // Adding a name that exists succeeds whatever its type, and waiting would not change that.
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      if (Object.entries(searchAttributes).some(([name, type]) => customAttributes[name] !== type))
        return false;
    } catch {
      // It may be forbidden or unimplemented, or another process was faster: a search shows whether they are usable.
      return await usable();
    }
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(100)) {
      if (await usable()) return true;
    }
    return false;
  } finally {
    await connection.close();
  }
}

/** Searches by the attributes: everybody who uses the namespace may do that, and it checks names and types at once. */
async function areSearchable(
  connection: Connection,
  namespace: string,
  attributes: Readonly<Record<string, SearchAttributeType>>,
): Promise<boolean> {
  const query = Object.entries(attributes)
    .map(([name, type]) => `\`${name}\` = ${someValue[type]}`)
    .join(' AND ');
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if ((error as { code?: number }).code === grpcInvalidArgument) return false;
    throw error;
  }
}
