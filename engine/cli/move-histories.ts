import process from 'node:process';
import { Connection } from '@temporalio/client';
import { exportHistories } from '../histories/export-histories.ts';
import { importHistories } from '../histories/import-histories.ts';
import { OperatorConnection } from '../histories/operator-connection.ts';
import { ensureSearchAttributes } from '../search-attributes.ts';
import { CommandLineError } from './command-line-error.ts';
import { readFlags } from './flags.ts';
import { SERVICE_FLAGS, connectAsTold } from './service-flags.ts';

const report = (note: string): void => {
  process.stderr.write(`${note}\n`);
};

/** `export <folder> [--query <query>]`: writes the histories of runs into a folder. */
export async function exportCommand(args: readonly string[]): Promise<void> {
  const [folder, rest] = takePath(args, 'export', 'a folder');
  const flags = readFlags(rest, { ...SERVICE_FLAGS, query: { short: 'q' } });
  const service = await connectAsTold(flags, process.env);
  const connection = await Connection.connect(service.connection);
  try {
    const query = flags.query?.at(-1) ?? '';
    const runs = await exportHistories({ connection, namespace: service.namespace, folder, query, report });
    const open = runs.filter(({ closeTime }) => closeTime === null).length;
    process.stdout.write(`${runs.length} runs are in ${folder}, ${open} of them open\n`);
  } finally {
    await connection.close();
  }
}

/** `import <folder or file>`: makes runs of histories. */
export async function importCommand(args: readonly string[]): Promise<void> {
  const [path, rest] = takePath(args, 'import', 'a folder or a file');
  const service = await connectAsTold(readFlags(rest, SERVICE_FLAGS), process.env);
  const connection = await OperatorConnection.open(service.connection);
  try {
    const tally = await importHistories({
      connection,
      namespace: service.namespace,
      path,
      ensureSearchAttributes: (types) => ensureSearchAttributes(service, types),
      report,
    });
    const { imported, known, expired, refused } = tally;
    process.stdout.write(
      `${imported} runs imported, ${known} were there, ${expired} have expired, ${refused} were refused\n`,
    );
    if (refused + expired > 0) process.exitCode = 1;
  } finally {
    await connection.close();
  }
}

function takePath(args: readonly string[], command: string, what: string): [string, readonly string[]] {
  const [path = '', ...rest] = args;
  if (path === '' || path.startsWith('-')) throw new CommandLineError(`${command} takes ${what} first`);
  return [path, rest];
}
