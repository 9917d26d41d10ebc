import { type Attribute, IndexedValueType, typeName } from './attribute-types.ts';
import { type Expression, parseQuery } from './query-parser.ts';
import { comparableValue, invalidExpression, invalidQuery, nodeType, notSupported } from './query-values.ts';
import { spacedWords } from './attribute-values.ts';
import { fieldSql } from './visibility-schema.ts';

/** A value that libsql binds. A boolean would abort the process. */
export type Bound = string | number | bigint;

/** A condition on a row of the visibility table, which stands behind `namespace = ? AND`. */
export interface CompiledQuery {
  readonly sql: string;
  readonly bound: readonly Bound[];
  /** Whether runs are counted by status. */
  readonly groupByStatus: boolean;
}

/** Finds the attribute that a name in a query means; undefined when there is none. */
type Resolve = (name: string) => Attribute | undefined;

/** Answers the column, or the field of the JSON document, that holds an attribute. Field names are the server's own. */
function attributeSql(attribute: Attribute): string {
  return attribute.column ?? fieldSql(fieldOf(attribute));
}

const DIVISION = 'TemporalNamespaceDivision';

/**
 * Turns a query into SQL. Everything that the caller wrote becomes a bound parameter; only columns and operators that
 * are spelled out here become text of the statement. Unless the query names TemporalNamespaceDivision, it finds only
 * runs outside any division.
 *
 * @param division says that another condition chooses the division
 * @throws RpcError INVALID_ARGUMENT with the server's text
 */
export function compileQuery(
  source: string,
  resolve: Resolve,
  { division = false }: { readonly division?: boolean } = {},
): CompiledQuery {
  const query = parseQuery(source);
  const compiler = new Compiler(resolve);
  const sql = query.where === undefined ? '1' : compiler.condition(query.where);
  const groups = query.groupBy.map((e) => compiler.attribute(e).name);
  for (const expression of query.orderBy) {
    const { type } = compiler.attribute(expression);
    if (type === IndexedValueType.Text) throw notSupported('unable to sort by search attribute type Text');
  }
  if (groups.length > 1) throw notSupported("'GROUP BY' clause supports only a single field");
  const [group] = groups;
  if (group !== undefined && group !== 'ExecutionStatus') {
    throw notSupported(`'GROUP BY' clause is not supported for search attribute ${group}`);
  }
  if (query.orderBy.length > 0) throw notSupported("'ORDER BY' clause");
  if (query.limit) throw notSupported("'LIMIT' clause");
  const isOutside = !division && !compiler.named.has(DIVISION);
  const scope = isOutside ? ` AND ${fieldSql(DIVISION)} IS NULL` : '';
  return { sql: `(${sql})${scope}`, bound: compiler.bound, groupByStatus: group !== undefined };
}

class Compiler {
  readonly bound: Bound[] = [];
  readonly named = new Set<string>();
  readonly #resolve: Resolve;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  attribute(expression: Expression): Attribute {
    if (expression.kind !== 'name') {
      throw invalidExpression(`must be a column name but was ${nodeType(expression)}`);
    }
    const attribute = this.#resolve(expression.name);
    if (attribute === undefined) throw invalidQuery(`invalid search attribute: ${expression.name}`);
    this.named.add(attribute.name);
    return attribute;
  }

  condition(expression: Expression): string {
    switch (expression.kind) {
      case 'and':
      case 'or':
        return joined(
          expression.parts.map((part) => this.condition(part)),
          expression.kind === 'and' ? 'AND' : 'OR',
        );
      case 'not':
        return `NOT (${this.condition(expression.inner)})`;
      case 'paren':
        return this.condition(expression.inner);
      case 'compare':
        return this.#compare(expression);
      case 'between':
        return this.#between(expression);
      case 'is':
        return this.#is(expression);
      case 'name':
        throw invalidExpression('incomplete expression');
      default:
        if (nodeType(expression) === '*sqlparser.FuncExpr') throw notSupported('function expression');
        throw notSupported(`expression of type ${nodeType(expression)}`);
    }
  }

  #bind(attribute: Attribute, value: Bound): string {
    // The table keeps a run's own times in microseconds; a finer literal means the microsecond it lies in.
    const micros = attribute.column !== undefined && attribute.type === IndexedValueType.Datetime;
    this.bound.push(micros && typeof value === 'bigint' ? value / 1000n : value);
    return '?';
  }

  #compare({ operator, left, right }: Extract<Expression, { kind: 'compare' }>): string {
    const attribute = this.attribute(left);
    const items = right.kind === 'tuple' && operator.endsWith('IN') ? right.items : [right];
    const values = items.map((item) => comparableValue(attribute, item));
    if (attribute.type === IndexedValueType.Text) return this.#text(attribute, operator, String(values[0]));
    const isList = attribute.type === IndexedValueType.KeywordList;
    const sql = attributeSql(attribute);
    switch (operator) {
      case '=':
      case '!=':
        if (isList) return `${operator === '=' ? '' : 'NOT '}${this.#contains(attribute, values)}`;
        return `${sql} ${operator} ${this.#bind(attribute, values[0] ?? '')}`;
      case 'IN':
      case 'NOT IN':
        if (isList) return `${operator === 'IN' ? '' : 'NOT '}${this.#contains(attribute, values)}`;
        return `${sql} ${operator} (${values.map((v) => this.#bind(attribute, v)).join(', ')})`;
      case '<':
      case '<=':
      case '>':
      case '>=':
        if (isList) break;
        return `${sql} ${operator} ${this.#bind(attribute, values[0] ?? '')}`;
      case 'STARTS_WITH':
      case 'NOT STARTS_WITH':
        if (attribute.type !== IndexedValueType.Keyword || attribute.name === 'ExecutionStatus') break;
        return this.#startsWith(attribute, String(values[0]), operator === 'NOT STARTS_WITH');
    }
    throw unsupportedOperator(attribute, operator);
  }

  /** Compiles a prefix as a range, which an index can serve. */
  #startsWith(attribute: Attribute, prefix: string, negated: boolean): string {
    const sql = attributeSql(attribute);
    const from = this.#bind(attribute, prefix);
    const to = this.#bind(attribute, `${prefix}\u{10ffff}`);
    return `${negated ? 'NOT ' : ''}(${sql} >= ${from} AND ${sql} < ${to})`;
  }

  /** Whether the list has any of the values. It is never null, so a run without the list is "not in" it. */
  #contains(attribute: Attribute, values: readonly Bound[]): string {
    const places = values.map((v) => this.#bind(attribute, v)).join(', ');
    return `EXISTS (SELECT 1 FROM json_each(fields, '$.${fieldOf(attribute)}') WHERE value IN (${places}))`;
  }

  /** Searches a text for any of the parts between blanks, each as a phrase of words in any case. */
  #text(attribute: Attribute, operator: string, value: string): string {
    const parts = value.split(/\s+/).filter((part) => part !== '');
    if (parts.length === 0) {
      throw invalidExpression(`no tokens found filtering on Text type search attribute ${attribute.name}`);
    }
    if (operator !== '=' && operator !== '!=') throw unsupportedOperator(attribute, operator);
    const phrases = parts.map(spacedWords).filter((phrase) => phrase.trim() !== '');
    const found = phrases.map(
      (phrase) => `coalesce(instr(${attributeSql(attribute)}, ${this.#bind(attribute, phrase)}), 0) > 0`,
    );
    return `${operator === '=' ? '' : 'NOT '}(${found.join(' OR ') || '0'})`;
  }

  #between({ negated, left, from, to }: Extract<Expression, { kind: 'between' }>): string {
    const attribute = this.attribute(left);
    const low = comparableValue(attribute, from);
    const high = comparableValue(attribute, to);
    if (!hasRange.has(attribute.type)) {
      throw invalidExpression(
        `cannot do range condition on search attribute '${attribute.name}' of type ${typeName(attribute.type)}`,
      );
    }
    const sql = attributeSql(attribute);
    const range = `${this.#bind(attribute, low)} AND ${this.#bind(attribute, high)}`;
    return `${sql} ${negated ? 'NOT ' : ''}BETWEEN ${range}`;
  }

  #is({ test, left }: Extract<Expression, { kind: 'is' }>): string {
    const attribute = this.attribute(left);
    if (test !== 'null' && test !== 'not null') {
      throw invalidExpression("'IS' operator can only be used as 'IS NULL' or 'IS NOT NULL'");
    }
    return `${attributeSql(attribute)} IS ${test.toUpperCase()}`;
  }
}

const hasRange: ReadonlySet<IndexedValueType> = new Set([
  IndexedValueType.Keyword,
  IndexedValueType.Int,
  IndexedValueType.Double,
  IndexedValueType.Datetime,
]);

/** Joins a long chain as a balanced tree, because SQLite limits how deep an expression may be. */
function joined(parts: readonly string[], operator: 'AND' | 'OR'): string {
  if (parts.length <= 1) return parts.join('');
  const middle = Math.ceil(parts.length / 2);
  return `(${joined(parts.slice(0, middle), operator)} ${operator} ${joined(parts.slice(middle), operator)})`;
}

function fieldOf(attribute: Attribute): string {
  return attribute.field ?? attribute.name;
}

function unsupportedOperator(attribute: Attribute, operator: string): Error {
  return notSupported(
    `operator '${operator}' not supported for ${typeName(attribute.type)} type search attribute '${attribute.name}'`,
  );
}
