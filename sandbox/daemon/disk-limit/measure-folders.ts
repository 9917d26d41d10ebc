import { execFile } from 'node:child_process';

const MAX_OUTPUT = 64 * 1024 * 1024;
/** A tree that takes longer than that to be gone through is measured the next time. */
const LONGEST_MS = 120_000;

/**
 * Room that the files below folders take, and how many files and folders there are (0 unless `count`); symbolic links are not
 * followed, and what vanishes meanwhile takes none. Measured by `du`: it gets to the ground of trees that are deeper than a path
 * can say. Unless it is urgent, everything else that runs goes first.
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
    // The folders may be links; a folder that is not there is said on standard error, and the sum stands all the same.
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
