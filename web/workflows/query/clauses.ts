/** A condition of a query. Those that no form shows have no field, and are kept as they are written. */
export interface Clause {
  /** As it stands in the query. */
  readonly text: string;
  readonly field: string | null;
  readonly operator: string;
  /** The right side, without quotes where it is one text. */
  readonly value: string;
}

const WORD = /[\w.-]/;
const CLAUSE =
  /^`?([A-Za-z_][\w.-]*)`?\s*(!=|>=|<=|=|>|<|\bNOT STARTS_WITH\b|\bSTARTS_WITH\b|\bNOT IN\b|\bIN\b|\bBETWEEN\b|\bIS NOT\b|\bIS\b)\s*(\S.*)$/is;

/** The conditions of a query that `AND` joins. A query with `OR` or an order is one condition. */
export function clausesOf(query: string): readonly Clause[] {
  const text = query.trim();
  if (text === '') return [];
  const { ands, isWhole } = joints(text);
  if (isWhole) return [{ text, field: null, operator: '', value: text }];
  const pieces: string[] = [];
  let from = 0;
  for (const at of ands) {
    pieces.push(text.slice(from, at));
    from = at + 3;
  }
  pieces.push(text.slice(from));
  return pieces.map((piece) => clauseOf(piece.trim())).filter((clause) => clause.text !== '');
}

function clauseOf(text: string): Clause {
  const [, field, operator, value] = CLAUSE.exec(text) ?? [];
  if (field === undefined || operator === undefined || value === undefined)
    return { text, field: null, operator: '', value: text };
  return { text, field, operator: operator.toUpperCase(), value: unquoted(value.trim()) };
}

/** Where `AND` joins conditions, outside of quotes, brackets and `BETWEEN`; and whether the query is of another kind. */
function joints(text: string): { readonly ands: readonly number[]; readonly isWhole: boolean } {
  const ands: number[] = [];
  let depth = 0;
  let quote = '';
  let between = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth > 0 || !WORD.test(char) || WORD.test(text[at - 1] ?? ' ')) continue;
    const word = /^[\w.-]+/.exec(text.slice(at, at + 12))?.[0].toUpperCase();
    if (word === 'OR' || word === 'ORDER' || word === 'GROUP') return { ands: [], isWhole: true };
    if (word === 'BETWEEN') between = true;
    if (word !== 'AND') continue;
    if (between) between = false;
    else ands.push(at);
  }
  return { ands, isWhole: false };
}

function unquoted(value: string): string {
  const [, , text] = /^(['"])((?:\\.|(?!\1)[^\\])*)\1$/s.exec(value) ?? [];
  return text === undefined ? value : text.replaceAll(/\\(.)/gs, '$1');
}

/** A value as a query holds it. */
export function literal(value: string, type = 'Keyword'): string {
  if (['Int', 'Double', 'Bool'].includes(type)) return value;
  return `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** The query with these conditions. One that is made of several is put in brackets. */
export function queryOf(conditions: readonly string[]): string {
  if (conditions.length < 2) return conditions[0] ?? '';
  return conditions
    .map((condition) => (joints(condition).isWhole ? `(${condition})` : condition))
    .join(' AND ');
}

/** The query without the conditions on a field, and with this one in their place unless it is null. */
export function withField(query: string, field: string, condition: string | null): string {
  const others = clausesOf(query).filter((clause) => clause.field !== field);
  return queryOf([...others.map(({ text }) => text), ...(condition === null ? [] : [condition])]);
}

export function withClause(query: string, condition: string): string {
  const texts = clausesOf(query).map(({ text }) => text);
  return texts.includes(condition) ? query : queryOf([...texts, condition]);
}

export function withoutClause(query: string, clause: Clause): string {
  return queryOf(
    clausesOf(query)
      .filter(({ text }) => text !== clause.text)
      .map(({ text }) => text),
  );
}
