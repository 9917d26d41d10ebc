import { InvalidRequestError } from '@steadyhand/contracts';
import type { ToolChoice, ToolParam, ToolUseBlock } from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';
import type { ToolGenerations } from '../tools/generations.ts';
import { PROVIDER_TOOL_BETAS, TOOL_BETAS } from '../tools/provider-tools.ts';
import { entryName, isToolset, namesOf } from '../tools/tool-names.ts';
import { displaySize } from './display-size.ts';
import { mapMessages } from './map-messages.ts';
import { mapTools } from './map-tools.ts';
import { partIds } from './part-ids.ts';
import type { ToolPair } from './tool-pair.ts';

/** The blocks of the client's generation for a block of the upstream, or the reason why there are none. */
type ClientBlocks =
  | { readonly blocks: readonly ToolUseBlock[]; readonly refused?: never }
  | { readonly blocks?: never; readonly refused: string };

/** The translation of one request and its reply. */
export interface BridgePlan {
  /** The request to the upstream. */
  readonly request: ModelRequest;
  /** Whether a block of the upstream's reply must be translated, and so must be complete before the client sees it. */
  maps(block: { readonly name: string; readonly toolset_name?: string | null }): boolean;
  /** Translates a tool use for which `maps` is true. */
  toClient(block: ToolUseBlock): ClientBlocks;
}

function mapBetas(betas: readonly string[], tools: readonly ToolParam[]): string[] {
  const needed = tools.flatMap(({ type }) => (type == null ? [] : (PROVIDER_TOOL_BETAS[type] ?? [])));
  const kept = betas.filter((beta) => !TOOL_BETAS.includes(beta) || needed.includes(beta));
  return [...new Set([...kept, ...needed])];
}

/** Translates a choice of tool; it may narrow the tools to choose from. */
function mapChoice(
  choice: ToolChoice | undefined,
  tools: readonly ToolParam[],
  pairs: readonly ToolPair[],
): Pick<ModelRequest, 'tools' | 'tool_choice'> {
  if (choice?.type !== 'tool') return { tools, ...(choice === undefined ? {} : { tool_choice: choice }) };
  const { name, ...rest } = choice;
  const pair = pairs.find(({ client }) => entryName(client) === name || namesOf(client).includes(name));
  if (pair === undefined) return { tools, tool_choice: choice };
  if (entryName(pair.client) !== name) {
    throw new InvalidRequestError(
      `tool_choice.name: the model takes ${String(pair.upstream.type)}, of which no single action can be chosen; ` +
        `choose ${entryName(pair.client)}, or leave the choice to the model`,
    );
  }
  // A toolset cannot be named. If it is the only entry, any tool is one of its members.
  if (isToolset(pair.upstream)) return { tools: [pair.upstream], tool_choice: { ...rest, type: 'any' } };
  return { tools, tool_choice: { ...choice, name: entryName(pair.upstream) } };
}

/** Translates the names of tools in edits of the context. */
function mapExclusions(
  management: ModelRequest['context_management'],
  pairs: readonly ToolPair[],
): Pick<ModelRequest, 'context_management'> {
  if (management == null) return management === undefined ? {} : { context_management: management };
  const upstreamNames = (name: string): readonly string[] => {
    const pair = pairs.find(({ client }) => entryName(client) === name || namesOf(client).includes(name));
    return pair === undefined ? [name] : namesOf(pair.upstream);
  };
  const edits = management.edits?.map((edit) =>
    'exclude_tools' in edit && edit.exclude_tools != null
      ? { ...edit, exclude_tools: [...new Set(edit.exclude_tools.flatMap(upstreamNames))] }
      : edit,
  );
  return { context_management: edits === undefined ? management : { ...management, edits } };
}

/** Adds the bridge's notes about the tools to the system prompt. They are the same in every turn. */
function withNote(system: ModelRequest['system'], pairs: readonly ToolPair[]): Pick<ModelRequest, 'system'> {
  const notes = pairs.flatMap((pair) => pair.note() ?? []);
  if (notes.length === 0) return system === undefined ? {} : { system };
  const note = `About the tools: ${notes.join(' ')}`;
  if (system === undefined || (typeof system === 'string' && system.trim() === '')) return { system: note };
  if (typeof system === 'string') return { system: `${system}\n\n${note}` };
  return { system: [...system, { type: 'text', text: note }] };
}

function clientBlocks(pairs: readonly ToolPair[], alone: boolean, block: ToolUseBlock): ClientBlocks {
  const pair = pairs.find((each) => each.isUpstreams(block));
  if (pair === undefined) return { refused: `Tool ${block.name} is invalid` };
  const { uses, refused } = pair.toClient(block);
  if (uses === undefined) return { refused };
  if (alone && uses.length > 1) {
    const names = uses
      .map(({ name, input }) => (input as { action?: string }).action ?? name)
      .join(', then ');
    return {
      refused: `one tool use at a time is allowed here, and this takes several; ask for ${names}, each by itself`,
    };
  }
  const { toolset_name: _, ...rest } = block;
  const ids = partIds(block.id, uses.length);
  return {
    blocks: uses.map(({ name, input, toolset_name: toolset }, index) => ({
      ...rest,
      id: ids[index] ?? block.id,
      name,
      input,
      ...(toolset == null ? {} : { toolset_name: toolset }),
    })),
  };
}

/**
 * Plans the translation of a request for a model that takes these generations. The result is undefined where the model
 * takes the client's own tools.
 *
 * @throws {InvalidRequestError} when the request cannot be translated
 */
export function planBridge(request: ModelRequest, taken: ToolGenerations): BridgePlan | undefined {
  const { tools, pairs } = mapTools(request.tools, taken, () => displaySize(request.messages));
  if (tools === request.tools) return undefined;
  const { tool_choice: choice, system, context_management: management, ...rest } = request;
  const alone = choice !== undefined && choice.type !== 'none' && choice.disable_parallel_tool_use === true;
  const paired = new Set<ToolParam>(pairs.map(({ client }) => client));
  const others = new Set(request.tools.flatMap((tool) => (paired.has(tool) ? [] : namesOf(tool))));
  // A model must not reach the client's tool by a name that only the client's generation has.
  const clientsOwn = (block: { readonly name: string; readonly toolset_name?: string | null }): boolean =>
    pairs.some((pair) => pair.isClients(block)) && !tools.some((tool) => namesOf(tool).includes(block.name));
  return {
    request: {
      ...rest,
      ...mapExclusions(management, pairs),
      ...withNote(system, pairs),
      ...mapChoice(choice, tools, pairs),
      messages: pairs.length === 0 ? request.messages : mapMessages(request.messages, { pairs, others }),
      betas: mapBetas(request.betas, tools),
    },
    maps: (block) => pairs.some((pair) => pair.isUpstreams(block)) || clientsOwn(block),
    toClient: (block) => clientBlocks(pairs, alone, block),
  };
}
