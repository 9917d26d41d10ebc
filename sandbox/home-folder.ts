import { homedir } from 'node:os';

/** The home folder of this process's user; `/nonexistent` for one whom nobody gave a home (a number without a name). */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/nonexistent';
  }
}
