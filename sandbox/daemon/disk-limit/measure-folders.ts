import { execFile } from 'node:child_process';

const MAX_OUTPUT = 64 * 1024 * 1024;
/** A tree that takes longer to walk is measured the next time. */
const LONGEST_MS = 120_000;

/**
 * The room that the files below folders take, and the number of files and folders (0 unless `count`). Symbolic links
 * are not followed, and files that vanish meanwhile do not count. `du` measures it, because it can walk trees that are
 * deeper than a path can be long. Unless it is urgent, it runs at a low priority.
 */
export async function measureFolders(
  folders: readonly string[],
  { count, urgent }: { readonly count: boolean; readonly urgent: boolean },
): Promise<{ readonly bytes: number; readonly files: number }> {
  const kib = await total(['-skcD'], folders, urgent);
  return { bytes: kib * 1024, files: count ? await total(['--inodes', '-scD'], folders, urgent) : 0 };
}

function total(options: readonly string[], folders: readonly string[], urgent: boolean): Promise<number> {
  const [program, ...args] = [...(urgent ? [] : ['nice', '-n', '10']), 'du', ...options, '--', ...folders];
  return new Promise((resolve, reject) => {
    // The folders may be links. `du` reports a missing folder on standard error and still prints the sum.
    execFile(
      program ?? 'du',
      args,
      { maxBuffer: MAX_OUTPUT, timeout: LONGEST_MS, cwd: '/' },
      (error, stdout) => {
        const sum = /^(\d+)\ttotal$/m.exec(stdout)?.[1];
        if (sum === undefined) reject(error ?? new Error('du gave no sum'));
        else resolve(Number(sum));
      },
    );
  });
}
