import type { EgressSettings } from './policy.ts';

/** The daemon's environment variable that holds EgressSettings as JSON. */
export const EGRESS_VARIABLE = 'STEADYHAND_EGRESS';

/** The daemon also gets these variables of its client's environment: the machine's own proxies. */
export const UPSTREAM_VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

const NO_EGRESS_SETTINGS: EgressSettings = { allow_private: [], mirrors: [] };

/** Reads the settings. Throws for what is not JSON, because only our own client sets it. */
export function readEgressSettings(env: Readonly<Record<string, string | undefined>>): EgressSettings {
  const text = env[EGRESS_VARIABLE];
  return text === undefined
    ? NO_EGRESS_SETTINGS
    : { ...NO_EGRESS_SETTINGS, ...(JSON.parse(text) as Partial<EgressSettings>) };
}
