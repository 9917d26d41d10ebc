import { isIP } from 'node:net';
import path from 'node:path';
import { readPrivateHosts } from '@steadyhand/sandbox/client';

/** An environment variable. `parse` answers `undefined` for a text that is not allowed. */
export interface Variable<T> {
  readonly name: string;
  /** The allowed values, which complete "X=value is not allowed: ". */
  readonly allowed: string;
  /** The variable's meaning, for docs/configuration.md. */
  readonly meaning: string;
  /** The default in words, where it is not the text of `fallback`. */
  readonly otherwise?: string;
  /** The text that is read when the variable is unset or empty; without it the value is then `undefined`. */
  readonly fallback?: string;
  /** Its value never appears in a message. */
  readonly secret?: boolean;
  parse(text: string): T | undefined;
}

/** A variable without its name, which `named` gives it. */
type Unnamed<T> = Omit<Variable<T>, 'name'>;
type VariableText = Omit<Unnamed<unknown>, 'parse' | 'allowed'>;

/** Gives each variable of a table the name that it stands under. */
export function named<T extends Readonly<Record<string, Unnamed<unknown>>>>(
  table: T,
): { readonly [Name in keyof T]: T[Name] & { readonly name: string } } {
  const entries = Object.entries(table).map(([name, variable]) => [name, { ...variable, name }]);
  return Object.fromEntries(entries) as ReturnType<typeof named<T>>;
}

export function oneOf<const T extends string>(values: readonly T[], text: VariableText): Unnamed<T> {
  return {
    ...text,
    allowed: values.join(', '),
    parse: (value) => values.find((candidate) => candidate === value),
  };
}

export function port(text: VariableText): Unnamed<number> {
  return {
    ...text,
    allowed: 'a whole number from 0 to 65535',
    parse: (value) => (/^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined),
  };
}

export function wholeNumber(from: number, to: number, text: VariableText): Unnamed<number> {
  return {
    ...text,
    allowed: `a whole number from ${from} to ${to}`,
    parse: (value) => {
      const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
      return number >= from && number <= to ? number : undefined;
    },
  };
}

export function limit(text: Omit<VariableText, 'otherwise'>): Unnamed<number> {
  return wholeNumber(1, 1_000_000_000, { ...text, otherwise: 'no limit' });
}

export function onOff(text: VariableText): Unnamed<boolean> {
  return {
    ...text,
    allowed: 'on, off',
    parse: (value) => (value === 'on' ? true : value === 'off' ? false : undefined),
  };
}

export function folder(text: VariableText): Unnamed<string> {
  return {
    ...text,
    allowed: 'the path of a folder, absolute or from the working folder',
    parse: (value) => (value.includes('\0') ? undefined : path.resolve(value)),
  };
}

export function file(text: VariableText): Unnamed<string> {
  return { ...folder(text), allowed: 'the path of a file, absolute or from the working folder' };
}

export function matching(pattern: RegExp, allowed: string, text: VariableText): Unnamed<string> {
  return { ...text, allowed, parse: (value) => (pattern.test(value) ? value : undefined) };
}

export function httpUrl(text: VariableText): Unnamed<string> {
  return {
    ...text,
    allowed: 'an http or https URL',
    parse: (value) => {
      if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) return undefined;
      return value.replace(/\/+$/, '');
    },
  };
}

/** The address of a PostgreSQL database, which holds a password. */
export function postgresUrl(text: VariableText): Unnamed<string> {
  return {
    ...text,
    allowed: 'postgres://user:password@host:port/database',
    secret: true,
    parse: (value) => {
      if (!URL.canParse(value)) return undefined;
      const { protocol, hostname, pathname } = new URL(value);
      const isWhole = /^postgres(?:ql)?:$/.test(protocol) && hostname !== '' && pathname.length > 1;
      return isWhole ? value : undefined;
    },
  };
}

export function addresses(
  text: VariableText,
): Unnamed<readonly { readonly host: string; readonly port: number }[]> {
  return {
    ...text,
    allowed: 'host:port, several with commas between',
    parse: (value) => {
      const found = value.split(',').map((each) => /^\[?([^\s\]]+?)\]?:(\d{1,5})$/.exec(each.trim()));
      if (found.some((match) => match === null || Number(match[2]) > 65_535)) return undefined;
      return found.map((match) => ({ host: match?.[1] ?? '', port: Number(match?.[2]) }));
    },
  };
}

export function addressRanges(text: string): readonly string[] | undefined {
  const ranges = text.split(',').map((range) => range.trim());
  const isRange = (range: string): boolean => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const family = isIP(address);
    return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
  };
  return ranges.every(isRange) ? ranges : undefined;
}

export function secret(text: VariableText): Unnamed<string> {
  return matching(/^[\x21-\x7e]{8,}$/, 'at least 8 printable ASCII characters without spaces', {
    ...text,
    secret: true,
  });
}

export function privateHosts(text: string): readonly string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  try {
    readPrivateHosts(entries);
    return entries;
  } catch {
    return undefined;
  }
}

export function workerQueues(text: string): readonly ('sessions' | 'batches')[] | undefined {
  const queues = ['sessions', 'batches'] as const;
  const given = text.split(',').map((each) => each.trim());
  return given.every((each) => queues.some((queue) => queue === each))
    ? queues.filter((queue) => given.includes(queue))
    : undefined;
}
