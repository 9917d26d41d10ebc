import { literal } from './clauses.ts';

/** How values are compared, with the words of a form. */
export const OPERATORS = {
  '=': 'is',
  '!=': 'is not',
  STARTS_WITH: 'begins with',
  '>=': 'is at least',
  '<=': 'is at most',
} as const;
export type Operator = keyof typeof OPERATORS;

/** The comparisons that a type of search attribute takes, the likeliest first. */
export function operatorsOf(type: string): readonly Operator[] {
  switch (type) {
    case 'Keyword':
      return ['=', '!=', 'STARTS_WITH'];
    case 'Int':
    case 'Double':
      return ['=', '!=', '>=', '<='];
    case 'Datetime':
      return ['>=', '<='];
    default:
      return ['=', '!='];
  }
}

/** A condition as the query language writes it. Times are given as the person's clock shows them. */
export function conditionOf(name: string, operator: Operator, value: string, type: string): string {
  const field = /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;
  const written = type === 'Datetime' ? new Date(value).toISOString() : value;
  return `${field} ${operator} ${literal(written, type)}`;
}
