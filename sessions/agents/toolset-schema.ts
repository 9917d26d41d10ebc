import type {
  BetaManagedAgentsAgentToolConfig,
  BetaManagedAgentsAgentToolset20260401,
} from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import { z } from 'zod';
import { defined, integer } from '@steadyhand/messages';
import type { Policy } from './agent.ts';
import { TOOLSET_MEMBERS } from './toolset-members.ts';

const ALLOW: Policy = { type: 'always_allow' };

/** Every member of the toolset's type, in the order in which they are answered. */
const MEMBERS = ['bash', 'edit', 'read', 'write', 'glob', 'grep', 'web_fetch', 'web_search'] as const;
type MemberName = (typeof MEMBERS)[number];

/** Why a member of the type is not available. */
const MISSING: Partial<Record<MemberName, string>> = {
  web_search: 'there is no search service behind this server',
};
const PRESENT = TOOLSET_MEMBERS.map(({ name }) => `'${name}'`).join(', ');

const MOST_DOMAINS = 64;
/** The settings that only some members have. */
const OWN_SETTINGS = {
  allowed_domains: ['web_fetch', 'web_search'],
  blocked_domains: ['web_fetch', 'web_search'],
  max_content_tokens: ['web_fetch'],
  url_sources: ['web_fetch'],
  user_location: ['web_search'],
} as const satisfies Record<string, readonly MemberName[]>;

const DOMAIN = /^(?=.{1,253}$)[^\s/:@*?#[\]]+$/;

const domain = z.string().superRefine((value, context) => {
  if (DOMAIN.test(value)) return;
  const message = 'a domain is a plain host name such as docs.example.com, without scheme, port or path';
  context.addIssue({ code: 'custom', message });
});
const domains = z.array(domain).min(1).max(MOST_DOMAINS);

function configSchema(policy: z.ZodType<Policy>) {
  return z.strictObject({
    name: z.enum(MEMBERS),
    type: z.enum(MEMBERS).optional(),
    enabled: z.boolean().nullish(),
    permission_policy: policy.nullish(),
    allowed_domains: domains.optional(),
    blocked_domains: domains.optional(),
    max_content_tokens: integer(1).nullish(),
    url_sources: z.unknown().optional(),
    user_location: z.unknown().optional(),
  });
}

type Config = z.output<ReturnType<typeof configSchema>>;
type Refuse = (field: string, message: string) => void;

/** `agent_toolset_20260401` among an agent's tools. It is answered with the full settings of each member. */
export function agentToolset(policy: z.ZodType<Policy>): z.ZodType<BetaManagedAgentsAgentToolset20260401> {
  return z
    .strictObject({
      type: z.literal('agent_toolset_20260401'),
      configs: z.array(configSchema(policy)).optional(),
      default_config: z
        .strictObject({ enabled: z.boolean().nullish(), permission_policy: policy.nullish() })
        .nullish(),
    })
    .superRefine(({ configs = [], default_config }, context) => {
      const enabled = default_config?.enabled ?? true;
      configs.forEach((config, index) => {
        const refuse: Refuse = (field, message) =>
          context.addIssue({ code: 'custom', path: ['configs', index, field], message });
        if (configs.findIndex(({ name }) => name === config.name) < index)
          refuse('name', `'${config.name}' is configured more than once`);
        checkConfig(config, enabled, refuse);
      });
    })
    .transform(({ configs = [], default_config }): BetaManagedAgentsAgentToolset20260401 => {
      const byDefault = {
        enabled: default_config?.enabled ?? true,
        permission_policy: default_config?.permission_policy ?? ALLOW,
      };
      return {
        type: 'agent_toolset_20260401',
        default_config: byDefault,
        configs: MEMBERS.map((name) => {
          const { enabled, permission_policy, allowed_domains, blocked_domains, max_content_tokens } =
            configs.find((candidate) => candidate.name === name) ?? ({} as Partial<Config>);
          return {
            name,
            type: name,
            enabled: MISSING[name] === undefined && (enabled ?? byDefault.enabled),
            permission_policy: permission_policy ?? byDefault.permission_policy,
            ...defined({
              allowed_domains,
              blocked_domains,
              max_content_tokens: max_content_tokens ?? undefined,
            }),
            ...(name === 'web_fetch' ? { url_sources: null } : {}),
          } as BetaManagedAgentsAgentToolConfig;
        }),
      };
    });
}

function checkConfig(config: Config, enabledByDefault: boolean, refuse: Refuse): void {
  const { name, type, enabled } = config;
  if (type !== undefined && type !== name) refuse('type', `Input should be '${name}'`);
  const missing = MISSING[name];
  // Naming a member asks for it, unless it is disabled.
  if (missing !== undefined && (enabled ?? enabledByDefault))
    refuse(
      enabled === true ? 'enabled' : 'name',
      `'${name}' is not available here: ${missing}; ${PRESENT} are`,
    );
  for (const [field, owners] of Object.entries(OWN_SETTINGS)) {
    if (config[field as keyof typeof OWN_SETTINGS] === undefined) continue;
    if (!(owners as readonly MemberName[]).includes(name)) refuse(field, 'Extra inputs are not permitted');
    else if (missing !== undefined && config[field as keyof typeof OWN_SETTINGS] !== null)
      refuse(field, `'${name}' is not available here: ${missing}`);
  }
  if (config.allowed_domains !== undefined && config.blocked_domains !== undefined)
    refuse('blocked_domains', 'cannot be combined with allowed_domains');
  if (config.url_sources != null)
    refuse(
      'url_sources',
      'not supported here: every URL may be fetched that allowed_domains and the rules let through',
    );
}
