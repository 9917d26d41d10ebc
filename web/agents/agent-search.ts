/** What an agent's page shows, in its address. */
export const AGENT_TABS = ['about', 'versions', 'sessions'] as const;
export type AgentTab = (typeof AGENT_TABS)[number];

/** How two versions stand beside each other: in one column, or in two. */
export const DIFF_VIEWS = ['unified', 'split'] as const;
export type DiffView = (typeof DIFF_VIEWS)[number];

export interface AgentSearch {
  readonly tab?: Exclude<AgentTab, 'about'> | undefined;
  /** The version that is shown; the newest unless given. */
  readonly version?: number | undefined;
  /** The versions that are compared; the two newest unless given. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly diff?: Exclude<DiffView, 'unified'> | undefined;
}

function versionOf(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 ? number : undefined;
}

export function agentSearch({ tab, version, from, to, diff }: Record<string, unknown>): AgentSearch {
  const shown = AGENT_TABS.find((name) => name === tab);
  const numbers = { version: versionOf(version), from: versionOf(from), to: versionOf(to) };
  return {
    ...(shown === undefined || shown === 'about' ? {} : { tab: shown }),
    ...Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== undefined)),
    ...(diff === 'split' ? { diff } : {}),
  };
}
