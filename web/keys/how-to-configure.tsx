import type { ReactElement } from 'react';
import { CodeBlock } from '../parts/code-block.tsx';

const FILE = `keys:
  - name: alice
    key: \${ALICE_KEY}
    workflows: read
  - name: ci
    sha256: 9c4e5f0a3b...
    limits: { requests: 50, input_tokens: 30000, output_tokens: 8000, streams: 4 }
`;

/** What to write, and where, for more keys and other limits. */
export function HowToConfigure(): ReactElement {
  return (
    <>
      <p>
        <code>API_KEY</code> is one key for all. <code>API_KEYS</code> names a file of more, each with a name,
        rights and limits of its own:
      </p>
      <CodeBlock label="A keys file" code={FILE} />
      <p>A key stands there as the name of a variable, or best as its SHA-256, which nobody can turn back:</p>
      <CodeBlock label="The command for a key’s SHA-256" code={'printf %s "$KEY" | sha256sum'} />
      <p>
        Where an entry leaves out a limit, <code>RATE_LIMIT_REQUESTS</code>,{' '}
        <code>RATE_LIMIT_INPUT_TOKENS</code>, <code>RATE_LIMIT_OUTPUT_TOKENS</code> and{' '}
        <code>RATE_LIMIT_STREAMS</code> hold. The server reads all of these at its start.
      </p>
    </>
  );
}
