/** Which sandboxes are listed, in the address. */
export const SHOWN = ['all', 'running', 'stopped', 'failed'] as const;
export type Shown = (typeof SHOWN)[number];

export interface ListSearch {
  readonly show?: Exclude<Shown, 'all'>;
}

export function listSearch({ show }: Record<string, unknown>): ListSearch {
  const shown = SHOWN.find((name) => name === show);
  return shown === undefined || shown === 'all' ? {} : { show: shown };
}

/** What a sandbox's page shows beside the screen. */
export const VIEWS = ['hand', 'files', 'state', 'snapshots', 'network'] as const;
export type View = (typeof VIEWS)[number];

export interface SandboxSearch {
  readonly view?: Exclude<View, 'hand'> | undefined;
  /** Which action is to be run by hand, e.g. `bash.run`. */
  readonly action?: string | undefined;
  /** The folder that is open, as percent-encoded bytes. */
  readonly folder?: string | undefined;
  /** The file that is looked at, likewise. */
  readonly file?: string | undefined;
}

export function sandboxSearch({ view, action, folder, file }: Record<string, unknown>): SandboxSearch {
  const shown = VIEWS.find((name) => name === view);
  return {
    ...(shown === undefined || shown === 'hand' ? {} : { view: shown }),
    ...(typeof action === 'string' && action !== '' ? { action } : {}),
    ...(typeof folder === 'string' && folder.startsWith('/') ? { folder } : {}),
    ...(typeof file === 'string' && file.startsWith('/') ? { file } : {}),
  };
}
