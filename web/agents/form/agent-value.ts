import type { Agent } from '../../client/api.ts';

/** What the form makes: the body that creates an agent. JSON written by hand may hold anything. */
export type AgentValue = Readonly<Record<string, unknown>>;

export const NEW_AGENT: AgentValue = { name: '', model: '', tools: [], metadata: {} };

/** An agent as the body that would create it. */
export function valueOf(agent: Agent): AgentValue {
  const { name, description, model, system, tools, context_care, policy, metadata } = agent;
  const { id, ...settings } = model;
  return {
    name,
    model: Object.keys(settings).length === 0 ? id : model,
    ...(description === null ? {} : { description }),
    ...(system === null ? {} : { system }),
    tools,
    ...(policy === undefined ? {} : { policy }),
    ...(context_care === undefined ? {} : { context_care }),
    metadata,
  };
}

/** What makes the agent hold this value and nothing else: what was taken out is null, because what is left out stays. */
export function updateOf(value: AgentValue, { version, metadata }: Agent): AgentValue {
  const given = value['metadata'] as Readonly<Record<string, string>> | undefined;
  const gone = Object.keys(metadata).filter((key) => given?.[key] === undefined);
  return {
    description: null,
    system: null,
    tools: [],
    policy: null,
    context_care: null,
    ...value,
    metadata: { ...given, ...Object.fromEntries(gone.map((key) => [key, null])) },
    version,
  };
}
