import { z } from 'zod';
import { accepting, anyOf, integer } from '@steadyhand/messages';
import { agentOverrides } from './agents/agent-schema.ts';
import { initialEvents } from './user-events/user-events.ts';
import { actionPolicy } from './policy/action-policy.ts';
import { resourceList } from './resource.ts';
import { sessionSecrets } from './secrets/session-secrets.ts';
import { abbreviated, metadata, metadataPatch, oneOf, unsupported } from './api/schema.ts';

type AgentChoice = z.infer<typeof plain> | z.infer<typeof overridden>;

const plain = z.strictObject({
  type: z.literal('agent'),
  id: agentOverrides.id,
  version: agentOverrides.version,
});
const overridden = z.strictObject({ type: z.literal('agent_with_overrides'), ...agentOverrides });

const choices = oneOf<AgentChoice>({ agent: plain, agent_with_overrides: overridden });
const idOrChoice = abbreviated(choices, (id) => ({ type: 'agent', id }), true);
/** An agent's id, or an object that names a version or replaces parts. */
const agent = accepting(idOrChoice, anyOf([z.string().min(1), choices]));

const limits = z.strictObject({
  max_turns: integer(1).nullish(),
  max_tokens: integer(1).nullish(),
});

const title = z.string().max(512).nullish();

const unsupportedFields = {
  budget: unsupported('List cost is not tracked here; use `limits`').optional(),
  vault_ids: unsupported('Vaults are not supported').optional(),
};

export const sessionCreate = z.strictObject({
  agent,
  environment_id: z.string().min(1).nullish(),
  title,
  metadata: metadata.optional(),
  limits: limits.nullish(),
  policy: actionPolicy.nullish(),
  secrets: sessionSecrets.optional(),
  initial_events: initialEvents.optional(),
  resources: resourceList.nullish(),
  ...unsupportedFields,
});

export const sessionUpdate = z.strictObject({
  title,
  metadata: metadataPatch.nullish(),
  limits: limits.nullish(),
  ...unsupportedFields,
  resources: unsupported('Resources are added and deleted one by one').optional(),
  agent: unsupported('The agent of a session cannot be changed').optional(),
});
