import { claudeModel, isNewer, type ClaudeModel } from '../models/model-name.ts';
import type { ComputerMember, ToolChoice } from '../api/api-types.ts';

/**
 * The input tokens of tools according to the API's documentation. docs/tool-tokens.md names the source of each figure, and
 * the choice where there is none.
 */

type ByChoice = Readonly<Record<ToolChoice['type'], number>>;

const byChoice = (free: number, forced: number): ByChoice => ({
  auto: free,
  none: free,
  any: forced,
  tool: forced,
});

/** The system prompt that the API adds for provider-defined tools. */
export const SYSTEM_PROMPT_TOKENS: ByChoice = byChoice(466, 499);

/** The system prompt that the API adds for custom tools alone, for models that the table below does not list. */
const CUSTOM_TOOLS_PROMPT_TOKENS: ByChoice = byChoice(346, 313);

/** The text and the picture of a PDF's page. The documentation says: "approximately 7,000 tokens for a 3-page PDF". */
export const TOKENS_PER_PDF_PAGE = 7000 / 3;

/** The figures by family, newest version first. */
const CUSTOM_TOOLS_PROMPTS: Readonly<
  Record<ClaudeModel['family'], readonly (readonly [number, ByChoice])[]>
> = {
  opus: [
    [500, byChoice(286, 406)],
    [408, byChoice(290, 410)],
    [407, byChoice(675, 804)],
    [406, byChoice(497, 589)],
    [405, byChoice(496, 588)],
    [400, byChoice(313, 315)],
    [300, byChoice(530, 281)],
  ],
  sonnet: [
    [500, byChoice(354, 474)],
    [406, byChoice(497, 589)],
    [405, byChoice(496, 588)],
    [400, byChoice(313, 315)],
    [305, byChoice(346, 313)],
    [300, byChoice(159, 235)],
  ],
  haiku: [
    [405, byChoice(496, 588)],
    [305, byChoice(264, 355)],
    [300, byChoice(264, 340)],
  ],
  fable: [[0, byChoice(286, 406)]],
  mythos: [[0, byChoice(286, 406)]],
};

/** The system prompt that the API adds for custom tools, by model. */
export function customToolsPrompt(model: string): ByChoice {
  const claude = claudeModel(model);
  if (claude === null) return CUSTOM_TOOLS_PROMPT_TOKENS;
  const known = CUSTOM_TOOLS_PROMPTS[claude.family].find(([version]) => version <= claude.version);
  return known?.[1] ?? CUSTOM_TOOLS_PROMPT_TOKENS;
}

const BASH_TOKENS = 245;

/** The definition of `bash_20250124`, which the documentation of 2026 measures by model. */
export function bashDefinitionTokens(model: string): number {
  if (isNewer(model)) return 325;
  const claude = claudeModel(model);
  return claude !== null && claude.version >= 400 ? 244 : BASH_TOKENS;
}

const ZOOM_TOKENS = 410;
const OTHER_MEMBERS = 16;

/** The toolset with all members and the system prompt. */
function toolsetTokens(model: string): number {
  const claude = claudeModel(model);
  if (claude === null || claude.version < 408) return 4500;
  return claude.family === 'sonnet' ? 4590 : 4520;
}

/**
 * The definition of `computer_toolset_20260801` with these members, without the system prompt that the published figure
 * includes. The figure of `zoom` is published; the other members are assumed to be equal.
 */
export function toolsetDefinitionTokens(members: readonly ComputerMember[], model: string): number {
  const whole = toolsetTokens(model) - SYSTEM_PROMPT_TOKENS.auto;
  const zoom = members.includes('zoom');
  const others = members.length - (zoom ? 1 : 0);
  return (zoom ? ZOOM_TOKENS : 0) + Math.round(((whole - ZOOM_TOKENS) * others) / OTHER_MEMBERS);
}
