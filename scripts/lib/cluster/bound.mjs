import { onPath } from '../command.mjs';

/**
 * A command whose process gets a signal when this process ends, however that ends. Where there is no `setpriv` (it is Linux's),
 * the command as it is: then what a killed script leaves has to be ended by hand.
 * @param {readonly string[]} command
 * @param {{ readonly signal?: string, readonly user?: string }} [options] a user to run it as, for root
 * @returns {readonly string[]}
 */
export function bound(command, { signal = 'TERM', user } = {}) {
  if (!onPath('setpriv')) return command;
  const as = user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, '--init-groups'];
  return ['setpriv', `--pdeathsig=${signal}`, ...as, ...command];
}
