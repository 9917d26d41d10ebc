import { spawnSync } from 'node:child_process';

const PARSE_MS = 5_000;

/**
 * Whether bash reads a command as complete when more follows on its last line: no quote, here-document or compound command is
 * open, and no comment or backslash takes what comes next. Parses only (`bash -n`); a command that needs `extglob` counts as
 * incomplete.
 */
export function isWholeCommand(command: string): boolean {
  // What follows is seen when it can break the syntax, and only then.
  return parses(`{ ${command}; }`) && !parses(`{ ${command}; fi; }`) && parses(`{ ${command}; }; :`);
}

function parses(script: string): boolean {
  const { status, stderr } = spawnSync('/bin/bash', ['--norc', '-n'], {
    input: `${script}\n`,
    timeout: PARSE_MS,
    env: { PATH: '/usr/bin:/bin' },
  });
  // A here-document cut short is a warning alone.
  return status === 0 && stderr.length === 0;
}
