import type { SearchAttributeType } from '../embedded/start-embedded-engine.ts';
import type { Limits } from '../embedded/primitives/limits.ts';
import { CommandLineError } from './command-line-error.ts';
import { readDynamicConfig } from './dynamic-config.ts';
import { readFlags } from './flags.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'never';
export type LogFormat = 'pretty' | 'text' | 'json';

/** What the command line asks for. */
export interface Command {
  readonly port: number;
  readonly host: string;
  /** `:memory:` keeps nothing. */
  readonly dbPath: string;
  /** Those to create beside `default`. */
  readonly namespaces: readonly string[];
  /** Their types by their names. */
  readonly searchAttributes: Readonly<Record<string, SearchAttributeType>>;
  readonly timeSkipping?: 'locked' | 'unlocked';
  readonly synchronous: 'full' | 'normal';
  /** Those that differ from the defaults. */
  readonly limits: Partial<Limits>;
  readonly log: { readonly level: LogLevel; readonly format: LogFormat };
  /** One sentence each about what was asked for and is not there. */
  readonly notes: readonly string[];
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'never'];
const FORMATS: readonly LogFormat[] = ['pretty', 'text', 'json'];
const TYPES: readonly SearchAttributeType[] = [
  'Text',
  'Keyword',
  'Int',
  'Double',
  'Bool',
  'Datetime',
  'KeywordList',
];

/** The flags of `temporal server start-dev`, its global ones included. */
const START_DEV = {
  port: { short: 'p' },
  ip: {},
  'db-filename': { short: 'f' },
  namespace: { short: 'n' },
  'search-attribute': {},
  'sqlite-pragma': {},
  'dynamic-config-value': {},
  'log-level': {},
  'log-format': {},
  headless: { boolean: true },
  'log-config': { boolean: true },
  'http-port': {},
  'metrics-port': {},
  'ui-port': {},
  'ui-ip': {},
  'ui-asset-path': {},
  'ui-codec-endpoint': {},
  'ui-public-path': {},
  'ui-disable-news-fetch': { boolean: true },
  color: {},
  'no-json-shorthand-payloads': { boolean: true },
  output: { short: 'o' },
  'time-format': {},
  env: {},
  'env-file': {},
  'command-timeout': {},
  'client-connect-timeout': {},
} as const;

/**
 * Reads the arguments of `temporal server start-dev`, or those of Temporal's time-skipping test server:
 * `<port> [--enable-time-skipping]`.
 * @throws CommandLineError
 */
export function readCommandLine(args: readonly string[]): Command {
  const [first = '', second] = args;
  if (/^\d+$/.test(first)) return testServer(first, args.slice(1));
  if (first === 'server' && second === 'start-dev') return startDev(args.slice(2));
  throw new CommandLineError('expected "server start-dev" or a port');
}

function testServer(port: string, args: readonly string[]): Command {
  const { 'enable-time-skipping': enabled } = readFlags(args, { 'enable-time-skipping': { boolean: true } });
  return {
    port: portOf(port, 'the port'),
    host: '127.0.0.1',
    dbPath: ':memory:',
    namespaces: [],
    searchAttributes: {},
    timeSkipping: enabled?.at(-1) === 'true' ? 'unlocked' : 'locked',
    synchronous: 'normal',
    limits: {},
    log: { level: 'warn', format: 'pretty' },
    notes: [],
  };
}

function startDev(args: readonly string[]): Command {
  const flags = readFlags(args, START_DEV);
  const ip = flags.ip?.at(-1) ?? 'localhost';
  const config = readDynamicConfig(flags['dynamic-config-value'] ?? []);
  return {
    port: portOf(flags.port?.at(-1) ?? '7233', '--port'),
    host: ip === 'localhost' ? '127.0.0.1' : ip,
    dbPath: flags['db-filename']?.at(-1) ?? ':memory:',
    namespaces: flags.namespace ?? [],
    searchAttributes: Object.fromEntries((flags['search-attribute'] ?? []).map(attributeOf)),
    synchronous: synchronousOf(flags['sqlite-pragma'] ?? []),
    limits: config.limits,
    log: {
      level: oneOf(LEVELS, flags['log-level']?.at(-1) ?? 'info', '--log-level'),
      format: oneOf(FORMATS, flags['log-format']?.at(-1) ?? 'text', '--log-format'),
    },
    notes: [...notesOn(flags), ...config.notes],
  };
}

function notesOn(flags: { readonly [name in keyof typeof START_DEV]?: readonly string[] }): string[] {
  const notes: string[] = [];
  if (flags['ui-port'] !== undefined) notes.push('There is no web UI here, so --ui-port has no effect.');
  if (flags['http-port'] !== undefined)
    notes.push('There is no HTTP API here, so --http-port has no effect.');
  if (flags['metrics-port'] !== undefined)
    notes.push('There are no metrics here, so --metrics-port has no effect.');
  return notes;
}

function portOf(text: string, name: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new CommandLineError(`${name} takes a number from 0 to 65535, not ${JSON.stringify(text)}`);
}

function attributeOf(text: string): readonly [string, SearchAttributeType] {
  const [, name = '', type = ''] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const known = TYPES.find((each) => each.toLowerCase() === type.toLowerCase());
  if (name !== '' && known !== undefined) return [name, known];
  throw new CommandLineError(
    `--search-attribute takes NAME=TYPE with the types ${TYPES.join(', ')}, not ${JSON.stringify(text)}`,
  );
}

function synchronousOf(pragmas: readonly string[]): 'full' | 'normal' {
  let synchronous: 'full' | 'normal' = 'full';
  for (const pragma of pragmas) {
    const [name = '', value = ''] = pragma.toLowerCase().split('=');
    // The log is what makes a commit durable here, so there is no other mode of it.
    if (name === 'journal_mode' && value === 'wal') continue;
    if (name !== 'synchronous' || !/^(?:normal|full|1|2)$/.test(value))
      throw new CommandLineError(
        `--sqlite-pragma takes synchronous=normal, synchronous=full and journal_mode=wal, not ${JSON.stringify(pragma)}`,
      );
    synchronous = value === 'normal' || value === '1' ? 'normal' : 'full';
  }
  return synchronous;
}

function oneOf<T extends string>(allowed: readonly T[], text: string, name: string): T {
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw new CommandLineError(`${name} takes ${allowed.join(', ')}, not ${JSON.stringify(text)}`);
}
