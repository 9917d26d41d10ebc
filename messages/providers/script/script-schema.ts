import type { PropertySchema, ToolFunction } from '../../tools/tool-function.ts';
import { MEMBER_STEPS, STEP_FORMS } from './step-forms.ts';

/**
 * The JSON Schema of a script: a list of steps, each with one action. What the tools take comes from the tools.
 *
 * @param toolset the members of the agent toolset, which give `read`, `write`, `glob`, `grep` and `web_fetch` their fields
 */
export function scriptSchema(toolset: readonly ToolFunction[]): PropertySchema {
  const members = new Map(toolset.map((member) => [member.name, member]));
  const single = Object.entries(STEP_FORMS).map(([name, { about, takes }]) => {
    const member = MEMBER_STEPS.some((step) => step === name) ? members.get(name) : undefined;
    if (member === undefined) return [name, { description: about, ...takes }] as const;
    const { description, input_schema } = member;
    // A text stands for the only field that such a tool needs.
    const isShort = input_schema.required?.length === 1;
    return [name, { description, ...(isShort ? { anyOf: [takes, input_schema] } : input_schema) }] as const;
  });
  const one = { $ref: '#/$defs/step' };
  const together = { type: 'array', minItems: 1, items: one, description: 'Several steps in one reply.' };
  const or_continue = { type: 'boolean', description: 'Goes on after a failure of this step.' };
  const steps = [...single, ['together', together] as const].map(([name, takes]) => ({
    type: 'object',
    properties: { [name]: takes, or_continue },
    required: [name],
    additionalProperties: false,
  }));
  return { type: 'array', minItems: 1, items: one, $defs: { step: { anyOf: steps } } };
}
