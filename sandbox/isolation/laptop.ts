import { release } from 'node:os';

/**
 * Whether `auto` may take containers here: on systems without Linux's namespaces, and under WSL. Elsewhere nobody expects a
 * server to start containers by itself.
 */
export function mayTakeContainers(): boolean {
  return process.platform !== 'linux' || isWsl();
}

/** Containers may run on another kernel than this process, so that they share no sockets with it. */
export function sharesSocketsWithContainers(): boolean {
  return process.platform === 'linux' && !isWsl();
}

function isWsl(): boolean {
  return /microsoft/i.test(release());
}
