import { CommandLineError } from './command-line-error.ts';

/** A flag in the forms that Go programs take: `--name value`, `--name=value`, `-n value`, `-n=value`. */
export interface Flag {
  readonly short?: string;
  /** Whether it stands alone, or with `=true` or `=false`. */
  readonly boolean?: true;
}

/**
 * Reads flags.
 * @returns the values of each flag in their order, `true` or `false` of a boolean one
 * @throws CommandLineError for what is no flag of the table, and for a missing value
 */
export function readFlags<Name extends string>(
  args: readonly string[],
  table: Readonly<Record<Name, Flag>>,
): { readonly [name in Name]?: readonly string[] } {
  const values: Partial<Record<Name, string[]>> = {};
  const names = Object.keys(table) as Name[];
  for (let at = 0; at < args.length; at++) {
    const text = args[at] ?? '';
    const match = /^(?:--([^=]+)|-([^-=]))(?:=(.*))?$/s.exec(text);
    const [, long, short, inline] = match ?? [];
    const name = names.find((each) => (long === undefined ? table[each].short === short : each === long));
    if (!match || name === undefined) throw new CommandLineError(`unknown argument ${JSON.stringify(text)}`);
    const { boolean } = table[name];
    const value = inline ?? (boolean ? 'true' : args[++at]);
    if (value === undefined) throw new CommandLineError(`--${name} needs a value`);
    if (boolean && value !== 'true' && value !== 'false')
      throw new CommandLineError(`--${name} takes true or false, not ${JSON.stringify(value)}`);
    (values[name] ??= []).push(value);
  }
  return values;
}
