import type { Variable } from '../../app/config/variable.ts';
import { ROLE, VARIABLES } from '../../app/config/variables.ts';
import { table } from './table.ts';

/** The text of docs/configuration.md, from the table that the values are read by. */
export function configurationPage(): string {
  const rows = Object.values(VARIABLES).map((variable: Variable<unknown>) => [
    `\`${variable.name}\``,
    sentence(variable),
    variable.allowed,
    variable.fallback === undefined ? (variable.otherwise ?? '') : `\`${variable.fallback}\``,
  ]);
  return [
    '# Configuration',
    '',
    'These variables are read once, when the process starts. An empty value counts as unset. A value that is not allowed',
    'ends the start with one line that names the variable, the value and what is allowed.',
    '',
    ...table(['variable', 'meaning', 'allowed', 'unset'], rows),
    '',
    'On the command line there is one option:',
    '',
    ...table(
      ['option', 'meaning', 'allowed', 'unset'],
      [[`\`${ROLE.name}=<role>\``, ROLE.meaning, ROLE.allowed, `\`${ROLE.fallback ?? ''}\``]],
    ),
    '',
  ].join('\n');
}

function sentence(variable: Variable<unknown>): string {
  return variable.secret === true ? `${variable.meaning} Never logged.` : variable.meaning;
}
