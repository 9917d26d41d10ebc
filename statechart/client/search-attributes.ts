import type { Connection } from '@temporalio/client';

/** Names of the search attributes by which actors are found. */
export interface ActorAttributes {
  /** A Keyword: the machine's `id`. */
  readonly machine: string;
  /** A Keyword: the business key that `start` is given. */
  readonly key: string;
  /** A KeywordList: every active state with those around it. */
  readonly states: string;
  /** A KeywordList: the tags of the active states. */
  readonly tags: string;
}

/** The names that are used unless others are given. */
export const ACTOR_ATTRIBUTES: ActorAttributes = {
  machine: 'ActorMachine',
  key: 'ActorKey',
  states: 'ActorStates',
  tags: 'ActorTags',
};

/** The namespace cannot have the search attributes: it may not be changed, has no room, or knows a name with another type. */
export class SearchAttributesError extends Error {
  override readonly name = 'SearchAttributesError';
}

/**
 * A text as it stands in a Keyword: no quotes and no backslashes, because a server does not find values that have some. They are
 * percent-encoded.
 */
export const keywordOf = (text: string): string =>
  text.replace(/['"\\%]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Undoes {@link keywordOf}. */
export const textOf = (keyword: string): string =>
  keyword.replace(/%(2[257]|5C)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const KEYWORD = 2;
const KEYWORD_LIST = 7;
const INVALID_ARGUMENT = 3;

export interface EnsureOptions {
  /** Milliseconds. Default 15,000. */
  readonly timeout?: number;
}

/**
 * Registers the search attributes of actors in a namespace where they are missing, and waits until they can be searched by: a
 * server learns of new ones only after some seconds. Without the right to register them it is enough that they exist.
 *
 * @throws SearchAttributesError when they cannot be had, with the reason.
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace = 'default',
  names: ActorAttributes = ACTOR_ATTRIBUTES,
  { timeout = 15_000 }: EnsureOptions = {},
): Promise<void> {
  const types = {
    [names.machine]: KEYWORD,
    [names.key]: KEYWORD,
    [names.states]: KEYWORD_LIST,
    [names.tags]: KEYWORD_LIST,
  };
  await requireTypes(connection, namespace, types);
  if (await areSearchable(connection, namespace, names)) return;
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: types });
  } catch (cause) {
    // Another process may have been faster.
    if (await areSearchable(connection, namespace, names)) return;
    throw new SearchAttributesError(
      `the search attributes ${Object.keys(types).join(', ')} could not be registered in '${namespace}': ${messageOf(cause)}`,
      { cause },
    );
  }
  const until = Date.now() + timeout;
  while (!(await areSearchable(connection, namespace, names))) {
    if (Date.now() > until) {
      throw new SearchAttributesError(
        `the search attributes of '${namespace}' were registered, but cannot be searched by after ${timeout} ms`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A server leaves a name that it knows as it is, whatever its type, and a run that writes another type to it does not get on. */
async function requireTypes(
  connection: Connection,
  namespace: string,
  types: Readonly<Record<string, number>>,
): Promise<void> {
  const known = await connection.operatorService.listSearchAttributes({ namespace }).then(
    ({ customAttributes }) => customAttributes,
    // Not everybody may ask.
    () => ({}) as Readonly<Record<string, unknown>>,
  );
  const wrong = Object.entries(types).filter(([name, type]) => name in known && Number(known[name]) !== type);
  if (wrong.length === 0) return;
  const texts = wrong.map(([name, type]) => `${name} (${type === KEYWORD ? 'Keyword' : 'KeywordList'})`);
  throw new SearchAttributesError(
    `'${namespace}' has search attributes of these names with another type: ${texts.join(', ')}`,
  );
}

/** A search tells it all at once, and everybody who uses the namespace may do that. */
async function areSearchable(
  connection: Connection,
  namespace: string,
  names: ActorAttributes,
): Promise<boolean> {
  const query = Object.values(names)
    .map((name) => `\`${name as string}\` = 'x'`)
    .join(' AND ');
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
  } catch (error) {
    if ((error as { readonly code?: number }).code === INVALID_ARGUMENT) return false;
    throw error;
  }
  return true;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
