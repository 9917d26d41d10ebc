import path from 'node:path';
import { z } from 'zod';
import { isRecord } from '../api/is-record.ts';
import type { ModelProvider } from '../providers/provider.ts';
import type { ProviderKind } from '../providers/provider-kind.ts';
import { type ModelEntry, modelEntry } from './model-entry.ts';
import type { KnownProvider, ProviderAbout } from './provider-book.ts';
import { issueText, ProvidersFileError } from './providers-file-error.ts';
import { type FoundSecrets, resolveSecret, VariableUnsetError } from './secret-references.ts';

interface TableContext {
  /** The file's path, for messages. */
  readonly file: string;
  /** The file's folder, where relative paths start. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly kinds: readonly ProviderKind[];
}

/** A configured provider. */
export interface NamedProvider extends KnownProvider {
  readonly kind: ProviderKind;
  readonly provider: ModelProvider;
}

/** The checked content of a providers file. */
export interface ProvidersTable {
  readonly providers: ReadonlyMap<string, NamedProvider>;
  readonly models: readonly ModelEntry[];
  /** The upstreams' keys, which must stay out of logs and answers. */
  readonly secrets: readonly string[];
  /** Whether the file holds a secret itself instead of a reference to a variable. */
  readonly secretsInFile: boolean;
}

/** This model name always belongs to the script provider. */
export const SCRIPT_MODEL = 'script';

/** The names of headers with secrets; other headers are public. */
const SECRET_HEADER = /auth|key|token|secret|cookie|password/i;
const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const fileShape = z.strictObject({
  providers: z.record(z.string(), z.unknown()),
  models: z.array(modelEntry),
});

/**
 * Reads the content of a providers file: opens its providers and checks its routes.
 *
 * @example const table = readProvidersTable(parse(text), { file, folder, env: process.env, kinds: providerKinds() });
 * @throws {ProvidersFileError} for the first thing that is wrong, with its path and what was expected
 */
export function readProvidersTable(content: unknown, context: TableContext): ProvidersTable {
  const parsed = fileShape.safeParse(content ?? {}, { reportInput: true });
  if (!parsed.success) throw failure(context, [], parsed.error.issues, fileShape);
  const found: FoundSecrets = { values: [], inFile: false };
  const providers = new Map<string, NamedProvider>();
  for (const [name, entry] of Object.entries(parsed.data.providers)) {
    providers.set(name, openProvider(name, entry, context, found));
  }
  const models = parsed.data.models.map((entry) =>
    entry.record === undefined ? entry : { ...entry, record: path.resolve(context.folder, entry.record) },
  );
  checkRoutes(models, providers, context);
  return { providers, models, secrets: [...new Set(found.values)], secretsInFile: found.inFile };
}

function openProvider(
  name: string,
  entry: unknown,
  context: TableContext,
  found: FoundSecrets,
): NamedProvider {
  const at = ['providers', name];
  if (!PROVIDER_NAME.test(name)) {
    throw new ProvidersFileError(context.file, at, 'a name is letters, digits, dots, - and _, at most 64');
  }
  const types = context.kinds.map(({ type }) => type).join(', ');
  if (!isRecord(entry)) {
    throw new ProvidersFileError(context.file, at, `expected an object with a type: ${types}`);
  }
  const kind = context.kinds.find(({ type }) => type === entry['type']);
  if (kind === undefined) {
    const text = entry['type'] === undefined ? 'this field is required; one of' : 'expected one of';
    throw new ProvidersFileError(context.file, [...at, 'type'], `${text} ${types}`);
  }
  const whole = withSecrets(entry, name, kind, context, found);
  const opened = kind.open(whole, { name, folder: context.folder });
  if ('issues' in opened) throw failure(context, at, opened.issues, kind.schema);
  return { name, kind, provider: opened.provider, about: aboutOf(whole, kind) };
}

/** Addresses are told without what they may hold of a password. */
function aboutOf(entry: Readonly<Record<string, unknown>>, { type }: ProviderKind): ProviderAbout {
  const address = typeof entry['base_url'] === 'string' ? new URL(entry['base_url']) : null;
  const headers = Object.keys(isRecord(entry['headers']) ? entry['headers'] : {});
  const hasKey = entry['api_key'] !== undefined || headers.some((header) => SECRET_HEADER.test(header));
  return {
    kind: type,
    address: address === null ? null : `${address.origin}${address.pathname}`,
    key: hasKey ? 'set' : 'none',
  };
}

function withSecrets(
  entry: Readonly<Record<string, unknown>>,
  name: string,
  kind: ProviderKind,
  { file, env }: TableContext,
  found: FoundSecrets,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = { ...entry };
  const resolve = (place: readonly string[], text: string, isSecret: boolean): string => {
    try {
      return resolveSecret(text, env, found, isSecret);
    } catch (error) {
      if (!(error instanceof VariableUnsetError)) throw error;
      throw new ProvidersFileError(
        file,
        ['providers', name, ...place],
        `${error.message} (provider ${name})`,
      );
    }
  };
  for (const field of kind.secrets) {
    const value = entry[field];
    if (typeof value === 'string') resolved[field] = resolve([field], value, true);
    else if (isRecord(value)) {
      resolved[field] = Object.fromEntries(
        Object.entries(value).map(([key, text]) => [
          key,
          typeof text === 'string' ? resolve([field, key], text, SECRET_HEADER.test(key)) : text,
        ]),
      );
    }
  }
  return resolved;
}

function checkRoutes(
  models: readonly ModelEntry[],
  providers: ReadonlyMap<string, NamedProvider>,
  { file }: TableContext,
): void {
  const taken = new Map<string, string>();
  const take = (name: string, where: readonly PropertyKey[]): void => {
    const place = where.map(String).join('.');
    const earlier = taken.get(name);
    if (name === SCRIPT_MODEL)
      throw new ProvidersFileError(file, where, `${SCRIPT_MODEL} is always the script provider's`);
    if (earlier !== undefined)
      throw new ProvidersFileError(file, where, `${name} has a route already, in ${earlier}`);
    taken.set(name, place);
  };
  for (const [index, entry] of models.entries()) {
    const at = (...fields: PropertyKey[]): PropertyKey[] => ['models', index, ...fields];
    take(entry.model, at('model'));
    if (!providers.has(entry.provider)) {
      const known = [...providers.keys()].join(', ');
      throw new ProvidersFileError(
        file,
        at('provider'),
        `there is no provider ${entry.provider}; expected ${known === '' ? 'one, but none is listed' : `one of ${known}`}`,
      );
    }
    const recordedBy = models.slice(0, index).findIndex(({ record }) => record === entry.record);
    if (entry.record !== undefined && recordedBy !== -1) {
      throw new ProvidersFileError(
        file,
        at('record'),
        `the file is written for models.${recordedBy} already`,
      );
    }
    if (entry.upstream_model?.includes('*') === true && !entry.model.endsWith('*')) {
      throw new ProvidersFileError(file, at('upstream_model'), 'a star needs one at the end of model');
    }
    for (const [place, alias] of (entry.aliases ?? []).entries()) {
      if (entry.model.endsWith('*') && (entry.upstream_model?.includes('*') ?? true)) {
        throw new ProvidersFileError(file, at('aliases'), 'an alias needs a model without a star');
      }
      take(alias, at('aliases', place));
    }
  }
}

function failure(
  { file }: TableContext,
  base: readonly PropertyKey[],
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
): ProvidersFileError {
  const [issue] = issues;
  if (issue === undefined) throw new Error('an invalid file without an issue');
  const { path: place, text } = issueText(issue, schema);
  return new ProvidersFileError(file, [...base, ...place], text);
}
