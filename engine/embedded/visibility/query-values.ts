import { invalidArgument, type RpcError } from '../protocol/rpc-error.ts';
import { type Attribute, IndexedValueType, typeName } from './attribute-types.ts';
import { parseTime } from './attribute-values.ts';
import { goFloat } from './go-format.ts';
import type { Expression } from './query-parser.ts';

/** A literal of a query. Integers that fit in 64 bits are exact; larger ones are floats. */
type Literal = string | number | bigint | boolean;

/** The statuses by their numbers in `temporal.api.enums.v1.WorkflowExecutionStatus`. */
export const statusNames = [
  'Unspecified',
  'Running',
  'Completed',
  'Failed',
  'Canceled',
  'Terminated',
  'ContinuedAsNew',
  'TimedOut',
  'Paused',
] as const;

export function invalidQuery(message: string): RpcError {
  return invalidArgument(`invalid query: ${message}`);
}

export function invalidExpression(message: string): RpcError {
  return invalidQuery(`invalid expression: ${message}`);
}

export function notSupported(message: string): RpcError {
  return invalidQuery(`operation is not supported: ${message}`);
}

/**
 * Makes the value on the right of a comparison, as it is bound into the statement: times and durations in nanoseconds,
 * a status as its number, booleans as 0 and 1.
 *
 * @throws RpcError INVALID_ARGUMENT when it is no literal, or none of the attribute's type
 */
export function comparableValue(attribute: Attribute, expression: Expression): string | number | bigint {
  const value = literal(expression);
  if (attribute.name === 'ExecutionStatus' && !attribute.isFreeText) return statusNumber(attribute, value);
  if (attribute.name === 'ExecutionDuration') return durationNanos(attribute, value);
  switch (attribute.type) {
    case IndexedValueType.Text:
    case IndexedValueType.Keyword:
    case IndexedValueType.KeywordList:
      if (typeof value === 'string') return value;
      break;
    case IndexedValueType.Int:
    case IndexedValueType.Double:
      if (typeof value === 'bigint' || typeof value === 'number') return value;
      break;
    case IndexedValueType.Bool:
      if (typeof value === 'boolean') return value ? 1 : 0;
      break;
    case IndexedValueType.Datetime:
      if (typeof value === 'bigint') return value;
      if (typeof value === 'string') {
        const nanos = parseTime(value);
        if (nanos === undefined) throw invalidExpression(`unable to parse datetime '${value}'`);
        return nanos;
      }
  }
  throw wrongType(attribute, value);
}

function literal(expression: Expression): Literal {
  switch (expression.kind) {
    case 'string':
    case 'boolean':
      return expression.value;
    case 'number':
      return numberValue(expression.source);
    case 'literal':
      throw invalidExpression(`unable to parse value ${JSON.stringify(expression.source)}`);
    case 'name':
      throw notSupported(
        'column name on the right side of comparison expression ' +
          `(did you forget to quote ${JSON.stringify(nameAsWritten(expression.name))}?)`,
      );
    case 'other':
      if (expression.type === '*sqlparser.FuncExpr') throw notSupported('nested func');
      throw invalidExpression(`unexpected value type ${expression.type}`);
    default:
      throw invalidExpression(`unexpected value type ${nodeType(expression)}`);
  }
}

/** Spells a name as the query language does: in backquotes, unless it is a plain word. */
function nameAsWritten(name: string): string {
  return /^[\w@.]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

function numberValue(source: string): number | bigint {
  if (/^-?\d+$/.test(source)) {
    const exact = BigInt(source);
    if (BigInt.asIntN(64, exact) === exact) return exact;
  }
  const value = Number(source);
  if (!Number.isFinite(value)) throw invalidExpression(`unable to parse value ${JSON.stringify(source)}`);
  return value;
}

const NODE_TYPES: Readonly<Record<Exclude<Expression['kind'], 'other'>, string>> = {
  and: '*sqlparser.AndExpr',
  or: '*sqlparser.OrExpr',
  not: '*sqlparser.NotExpr',
  paren: '*sqlparser.ParenExpr',
  compare: '*sqlparser.ComparisonExpr',
  between: '*sqlparser.RangeCond',
  is: '*sqlparser.IsExpr',
  name: '*sqlparser.ColName',
  string: '*sqlparser.SQLVal',
  number: '*sqlparser.SQLVal',
  literal: '*sqlparser.SQLVal',
  boolean: 'sqlparser.BoolVal',
  null: '*sqlparser.NullVal',
  tuple: 'sqlparser.ValTuple',
};

/** Answers how the server's errors name an expression. */
export function nodeType(expression: Expression): string {
  return expression.kind === 'other' ? expression.type : NODE_TYPES[expression.kind];
}

function statusNumber(attribute: Attribute, value: Literal): number {
  if (typeof value === 'string') {
    const constant = /^WORKFLOW_EXECUTION_STATUS_([A-Z_]+)$/
      .exec(value)?.[1]
      ?.replaceAll('_', '')
      .toLowerCase();
    const number = statusNames.findIndex((n) => n === value || n.toLowerCase() === constant);
    if (number === -1) throw invalidExpression(`invalid ExecutionStatus value '${value}'`);
    return number;
  }
  if (typeof value === 'bigint') {
    if (value < 0n || value >= BigInt(statusNames.length)) {
      throw invalidExpression(`invalid ExecutionStatus value ${value}`);
    }
    return Number(value);
  }
  if (typeof value === 'number') throw unexpectedType(attribute);
  throw wrongType(attribute, value);
}

const units: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 86_400e9,
};

/** Reads `1h30m`, `1.5s`, `-2d`, `hh:mm:ss` or a whole number of nanoseconds. */
function durationNanos(attribute: Attribute, value: Literal): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') throw unexpectedType(attribute);
  if (typeof value !== 'string') throw wrongType(attribute, value);
  const nanos = parseDuration(value);
  if (nanos === undefined) {
    throw invalidExpression(`invalid duration value for search attribute ${attribute.name}: ${value}`);
  }
  return nanos;
}

function parseDuration(value: string): bigint | undefined {
  let nanos: bigint | undefined;
  const clock = /^(\d+):(\d{1,2}):(\d{1,2})$/.exec(value);
  if (/^-?\d+$/.test(value)) {
    nanos = BigInt(value);
  } else if (clock !== null) {
    const [hours, minutes, seconds] = clock.slice(1).map(BigInt) as [bigint, bigint, bigint];
    if (minutes > 59n || seconds > 59n) return undefined;
    nanos = ((hours * 60n + minutes) * 60n + seconds) * 1_000_000_000n;
  } else if (/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h|d))+$/.test(value)) {
    nanos = 0n;
    for (const [, amount = '', unit = ''] of value.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h|d)/g)) {
      const [whole = '', fraction = ''] = amount.split('.');
      const size = units[unit] ?? 0;
      nanos +=
        BigInt(whole || '0') * BigInt(size) + BigInt(Math.trunc(Number(`0.${fraction || '0'}`) * size));
    }
    if (value.startsWith('-')) nanos = -nanos;
  }
  return nanos !== undefined && BigInt.asIntN(64, nanos) === nanos ? nanos : undefined;
}

function unexpectedType(attribute: Attribute): RpcError {
  return invalidExpression(`unexpected value type float64 for search attribute ${attribute.name}`);
}

function wrongType(attribute: Attribute, value: Literal): RpcError {
  const [shown, type] =
    typeof value === 'string'
      ? [JSON.stringify(value), 'string']
      : typeof value === 'number'
        ? [goFloat(value), 'float64']
        : [String(value), typeof value === 'bigint' ? 'int64' : 'bool'];
  return invalidExpression(
    `invalid value type for search attribute ${attribute.name} of type ${typeName(attribute.type)}: ` +
      `${shown} (type: ${type})`,
  );
}
