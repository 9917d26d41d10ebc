import { spawnSync } from 'node:child_process';

const PARSE_MS = 5_000;

/**
 * Whether bash reads a command as complete when more follows on its last line: no quote, here-document or compound
 * command is open, and no comment or backslash swallows what comes next. The command is only parsed (`bash -n`). One
 * that needs `extglob` counts as incomplete.
 */
export function isWholeCommand(command: string): boolean {
  // What follows is read as syntax exactly when a wrong keyword there breaks the parse.
  return parses(`{ ${command}; }`) && !parses(`{ ${command}; fi; }`) && parses(`{ ${command}; }; :`);
}

function parses(script: string): boolean {
  const { status, stderr } = spawnSync('/bin/bash', ['--norc', '-n'], {
    input: `${script}\n`,
    timeout: PARSE_MS,
    env: { PATH: '/usr/bin:/bin' },
  });
  // A here-document that is cut short causes only a warning.
  return status === 0 && stderr.length === 0;
}
