import { reply, stream, eventsOf, message, text, thinking, toolUse } from '../support/anthropic-upstream.ts';
import type { Block, Handler, SeenRequest } from '../support/anthropic-upstream.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The least value that a JSON schema takes, with names of its own for texts so that they can be told apart. */
export function sampleOf(schema: unknown, name = 'value', root: unknown = schema): unknown {
  if (!isObject(schema)) return name;
  const { type, properties, required, items, enum: choices, anyOf, $ref } = schema;
  if ('const' in schema) return schema['const'];
  if (typeof $ref === 'string') {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), root);
    return sampleOf(target, name, root);
  }
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0], name, root);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object': {
      const wanted = Array.isArray(required)
        ? (required as string[])
        : Object.keys(isObject(properties) ? properties : {});
      return Object.fromEntries(
        wanted.map((key) => [key, sampleOf(isObject(properties) ? properties[key] : undefined, key, root)]),
      );
    }
    case 'array':
      return [sampleOf(items, name, root)];
    case 'integer':
    case 'number':
      return 7;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return `a ${name}`;
  }
}

const lastTurn = ({ body }: SeenRequest): Json | undefined => {
  const turns = body['messages'];
  return Array.isArray(turns) ? (turns.at(-1) as Json) : undefined;
};

function answersTools(request: SeenRequest): boolean {
  const content = lastTurn(request)?.['content'];
  return (
    Array.isArray(content) && content.some((block) => isObject(block) && block['type'] === 'tool_result')
  );
}

/** One use of each tool that the client runs, with the least input that its schema takes. */
function uses({ body }: SeenRequest): Block[] {
  const tools = Array.isArray(body['tools']) ? (body['tools'] as Json[]) : [];
  return tools
    .filter((tool) => 'input_schema' in tool)
    .map((tool, index) =>
      toolUse(`toolu_${index}`, String(tool['name']), sampleOf(tool['input_schema']) as object),
    );
}

/** The JSON schema of a structured output, where the request asks for one. */
function wantedForm({ body }: SeenRequest): unknown {
  const config = body['output_config'];
  const format = isObject(config) ? config['format'] : body['output_format'];
  return isObject(format) && format['type'] === 'json_schema' ? format['schema'] : undefined;
}

/** What a model that does as it is asked would say: it uses each tool once, fills in forms, thinks where it may. */
export function contentFor(request: SeenRequest): Block[] {
  const { body } = request;
  const thought =
    isObject(body['thinking']) && body['thinking']['type'] !== 'disabled' ? [thinking('Let me think.')] : [];
  const used = answersTools(request) ? [] : uses(request);
  if (used.length > 0) return [...thought, text('I use the tools.'), ...used];
  const form = wantedForm(request);
  if (form !== undefined) return [...thought, text(JSON.stringify(sampleOf(form)))];
  return [...thought, text('Hello there. You can unwrap() it.')];
}

/** A model behind the upstream double, with the answers of `contentFor`. */
export const obligingModel: Handler = (request, response) => reply(contentFor(request))(request, response);

/** The same in a stream that waits for `gate` before its event of this index. */
export function gatedModel(index: number, gate: Promise<void>): Handler {
  return (request, response) =>
    stream(eventsOf(message(contentFor(request))), { before: (at) => (at === index ? gate : undefined) })(
      request,
      response,
    );
}
