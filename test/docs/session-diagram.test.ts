import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toMermaid } from '../../statechart/client/index.ts';
import { sessionMachine } from '../../workflows/session/machine.ts';

const FILE = path.resolve(__dirname, '../../docs/session-machine.md');

/** `UPDATE_DOCS=1 npx jest test/docs` writes the file anew. */
test('the session’s diagram in the docs is the machine’s', () => {
  const states = Object.entries(sessionMachine.config.states ?? {}).map(
    ([name, state]) => `| \`${name}\` | ${(state as { description?: string }).description ?? ''} |`,
  );
  const text = [
    '# The session machine',
    '',
    'Generated from `workflows/session/machine.ts`; `UPDATE_DOCS=1 npx jest test/docs` writes it anew.',
    '',
    '```mermaid',
    toMermaid(sessionMachine),
    '```',
    '',
    '| state | what happens there |',
    '| --- | --- |',
    ...states,
    '',
  ].join('\n');
  if (process.env['UPDATE_DOCS']) writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8')).toBe(text);
});
