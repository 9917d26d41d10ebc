import { invalidArgument } from '../protocol/rpc-error.ts';
import { type Token, tokenize } from './query-tokens.ts';

/**
 * An expression as it stands in the query. What the language's grammar allows but visibility does not (arithmetic,
 * subqueries, functions) becomes `other`, named as the server names it in its errors.
 */
export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not' | 'paren'; readonly inner: Expression }
  | {
      readonly kind: 'compare';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'between';
      readonly negated: boolean;
      readonly left: Expression;
      readonly from: Expression;
      readonly to: Expression;
    }
  | { readonly kind: 'is'; readonly test: string; readonly left: Expression }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly source: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'tuple'; readonly items: readonly Expression[] }
  /** A literal that has no value here: a bind variable, hexadecimal. */
  | { readonly kind: 'literal'; readonly source: string }
  | { readonly kind: 'other'; readonly type: string };

/** A whole query: a condition and the clauses behind it. */
interface Query {
  readonly where?: Expression;
  readonly groupBy: readonly Expression[];
  readonly orderBy: readonly Expression[];
  readonly limit: boolean;
}

/** Deeper nesting than this would only exhaust the stack. */
const maxDepth = 200;
/** The texts that the server puts before a query to make a statement of it; positions in syntax errors count them. */
const prefix = { condition: 'select * from table1 where '.length, clause: 'select * from table1 '.length };

/** @throws RpcError INVALID_ARGUMENT "invalid query: malformed SQL query: syntax error at position N [near 'token']" */
export function parseQuery(source: string): Query {
  const query = source.trim();
  const clauseOnly = query === '' || /^(?:group|order)\s+by\b/i.test(query);
  return new Parser(query, clauseOnly ? prefix.clause : prefix.condition).query(clauseOnly);
}

class Parser {
  readonly #tokens: Token[];
  readonly #offset: number;
  #at = 0;
  #depth = 0;

  constructor(query: string, offset: number) {
    this.#tokens = tokenize(query);
    this.#offset = offset;
  }

  query(clauseOnly: boolean): Query {
    const where = clauseOnly ? undefined : this.#or();
    const groupBy = this.#take('group') ? this.#by() : [];
    if (this.#take('having')) this.#or();
    const orderBy = this.#take('order') ? this.#by(true) : [];
    const limit = this.#take('limit');
    if (limit) {
      this.#or();
      if (this.#take(',') || this.#take('offset')) this.#or();
    }
    this.#take(';');
    if (this.#token.kind !== 'end') throw this.#syntaxError();
    return where === undefined ? { groupBy, orderBy, limit } : { where, groupBy, orderBy, limit };
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', end: 0 };
  }

  #is(text: string): boolean {
    return (this.#token.kind === 'symbol' || this.#token.kind === 'keyword') && this.#token.text === text;
  }

  #take(text: string): boolean {
    const found = this.#is(text);
    if (found) this.#at += 1;
    return found;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#syntaxError();
  }

  #syntaxError(): Error {
    const { text, end, kind } = this.#token;
    const near = text === '' || kind === 'symbol' ? '' : ` near '${text}'`;
    return invalidArgument(
      `invalid query: malformed SQL query: syntax error at position ${this.#offset + end + 1}${near}`,
    );
  }

  #nested<T>(work: () => T): T {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw this.#syntaxError();
    const result = work();
    this.#depth -= 1;
    return result;
  }

  #by(directions = false): Expression[] {
    this.#expect('by');
    const items: Expression[] = [];
    do {
      items.push(this.#or());
      if (directions && !this.#take('asc')) this.#take('desc');
    } while (this.#take(','));
    return items;
  }

  #or(): Expression {
    return this.#nested(() => {
      const first = this.#and();
      const parts = [first];
      while (this.#take('or') || this.#take('||')) parts.push(this.#and());
      return parts.length === 1 ? first : { kind: 'or', parts };
    });
  }

  #and(): Expression {
    const first = this.#not();
    const parts = [first];
    while (this.#take('and') || this.#take('&&')) parts.push(this.#not());
    return parts.length === 1 ? first : { kind: 'and', parts };
  }

  #not(): Expression {
    if (!this.#take('not')) return this.#condition();
    return this.#nested(() => ({ kind: 'not', inner: this.#not() }));
  }

  #condition(): Expression {
    let left = this.#sum();
    for (;;) {
      const next = this.#comparison(left);
      if (next === undefined) return left;
      left = next;
    }
  }

  #comparison(left: Expression): Expression | undefined {
    if (this.#token.kind === 'symbol') {
      const operator = ['=', '!=', '<>', '<=>', '<=', '>=', '<', '>'].find((o) => this.#take(o));
      if (operator === undefined) return undefined;
      return { kind: 'compare', operator: operator === '<>' ? '!=' : operator, left, right: this.#sum() };
    }
    if (this.#take('is')) return { kind: 'is', test: this.#isTest(), left };
    const negated = this.#take('not');
    if (this.#take('between')) {
      const from = this.#sum();
      this.#expect('and');
      return { kind: 'between', negated, left, from, to: this.#sum() };
    }
    if (this.#take('in')) {
      const operator = negated ? 'NOT IN' : 'IN';
      if (this.#token.kind === 'bind' && this.#token.text.startsWith('::')) {
        return { kind: 'compare', operator, left, right: this.#primary() };
      }
      this.#expect('(');
      return { kind: 'compare', operator, left, right: this.#tuple() };
    }
    for (const word of ['like', 'starts_with', 'regexp', 'rlike']) {
      if (!this.#take(word)) continue;
      const operator = `${negated ? 'NOT ' : ''}${word === 'rlike' ? 'REGEXP' : word.toUpperCase()}`;
      const right = this.#sum();
      if (this.#take('escape')) this.#sum();
      return { kind: 'compare', operator, left, right };
    }
    if (negated) throw this.#syntaxError();
    return undefined;
  }

  #isTest(): string {
    const not = this.#take('not') ? 'not ' : '';
    const word = ['null', 'true', 'false'].find((w) => this.#take(w));
    if (word === undefined) throw this.#syntaxError();
    return not + word;
  }

  #sum(): Expression {
    let left = this.#unary();
    for (;;) {
      if (['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', 'div', 'mod'].some((o) => this.#take(o))) {
        this.#unary();
        left = { kind: 'other', type: '*sqlparser.BinaryExpr' };
      } else if (this.#take('collate')) {
        this.#primary();
        left = { kind: 'other', type: '*sqlparser.CollateExpr' };
      } else {
        return left;
      }
    }
  }

  #unary(): Expression {
    const sign = ['-', '+', '!', '~', 'binary'].find((o) => this.#take(o));
    if (sign === undefined) return this.#primary();
    return this.#nested(() => {
      const inner = this.#unary();
      if (inner.kind !== 'number' || (sign !== '-' && sign !== '+')) {
        return { kind: 'other', type: '*sqlparser.UnaryExpr' };
      }
      if (sign === '+') return inner;
      return {
        kind: 'number',
        source: inner.source.startsWith('-') ? inner.source.slice(1) : `-${inner.source}`,
      };
    });
  }

  #primary(): Expression {
    const token = this.#token;
    switch (token.kind) {
      case 'name':
        this.#at += 1;
        return this.#named(token.text);
      case 'string':
        this.#at += 1;
        return { kind: 'string', value: token.text };
      case 'integer':
      case 'decimal':
        this.#at += 1;
        return { kind: 'number', source: token.text };
      case 'hex':
      case 'hex-string':
      case 'bind':
        this.#at += 1;
        return { kind: 'literal', source: token.text };
      case 'keyword':
        return this.#keyword(token.text);
      case 'symbol':
        if (token.text !== '(') throw this.#syntaxError();
        this.#at += 1;
        return this.#parenthesis();
      case 'end':
      case 'error':
        throw this.#syntaxError();
    }
  }

  #named(name: string): Expression {
    if (this.#take('(')) {
      if (!this.#take(')')) this.#tuple();
      return { kind: 'other', type: '*sqlparser.FuncExpr' };
    }
    if (!this.#take('.')) return { kind: 'name', name };
    const column = this.#token;
    if (column.kind !== 'name') throw this.#syntaxError();
    this.#at += 1;
    return { kind: 'name', name: `${name}.${column.text}` };
  }

  #keyword(word: string): Expression {
    this.#at += 1;
    switch (word) {
      case 'true':
      case 'false':
        return { kind: 'boolean', value: word === 'true' };
      case 'null':
        return { kind: 'null' };
      case 'exists':
        this.#expect('(');
        this.#skipTo(')');
        return { kind: 'other', type: '*sqlparser.ExistsExpr' };
      case 'cast':
      case 'convert':
        this.#expect('(');
        this.#skipTo(')');
        return { kind: 'other', type: '*sqlparser.ConvertExpr' };
      case 'case':
        this.#skipTo('end');
        return { kind: 'other', type: '*sqlparser.CaseExpr' };
      case 'default':
        return { kind: 'other', type: '*sqlparser.Default' };
      default:
        this.#at -= 1;
        throw this.#syntaxError();
    }
  }

  #parenthesis(): Expression {
    if (this.#is('select')) {
      this.#skipTo(')');
      return { kind: 'other', type: '*sqlparser.Subquery' };
    }
    const tuple = this.#tuple();
    const [first] = tuple.items;
    return tuple.items.length === 1 && first !== undefined ? { kind: 'paren', inner: first } : tuple;
  }

  /** Parses the items of a list and its closing parenthesis, after the opening one. */
  #tuple(): Extract<Expression, { kind: 'tuple' }> {
    const items: Expression[] = [];
    do items.push(this.#or());
    while (this.#take(','));
    this.#expect(')');
    return { kind: 'tuple', items };
  }

  /** Skips what visibility does not support, up to its closing word. */
  #skipTo(closing: ')' | 'end'): void {
    const opening = closing === ')' ? '(' : 'case';
    for (let depth = 1; depth > 0; this.#at += 1) {
      if (this.#token.kind === 'end' || this.#token.kind === 'error') throw this.#syntaxError();
      if (this.#is(opening)) depth += 1;
      if (this.#is(closing)) depth -= 1;
    }
  }
}
