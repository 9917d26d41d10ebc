import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { Engine } from './engine.ts';

/** How a search attribute's values are indexed, with the numbers of the wire. */
const indexedValueTypes = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
} as const;
export type SearchAttributeType = keyof typeof indexedValueTypes;

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
 * Makes sure that a namespace has search attributes, registering them where that is allowed. Answers whether runs can
 * carry them: a cluster may forbid registering (ask its administrator), have no field left, or know a name with another
 * type. A service caches what a namespace has, so a fresh attribute may take some seconds: that is waited for.
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
      Object.entries(attributes).map(([name, type]) => [name, indexedValueTypes[type]]),
    );
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
      // Adding a name that exists succeeds whatever its type, and no waiting would mend that.
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      if (Object.entries(searchAttributes).some(([name, type]) => customAttributes[name] !== type))
        return false;
    } catch {
      // Forbidden, unknown to the service, no field left, or made by another process a moment ago: the search tells.
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

/** Asks by searching: allowed to whoever may use the namespace at all, and it checks name and type at once. */
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
