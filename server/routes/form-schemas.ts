import { z } from 'zod';
import { ApiError } from '@steadyhand/contracts';
import { scriptSchema } from '@steadyhand/messages';
import { agentCreate, environmentCreate, TOOLSET_MEMBERS } from '@steadyhand/sessions';
import { Components } from '../routing/components.ts';
import { routesOf } from '../routing/route.ts';
import { anyObject } from '../routing/shapes.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const MAKERS: ReadonlyMap<string, () => JsonSchema> = new Map([
  ['agent', () => alone(agentCreate)],
  ['environment', () => alone(environmentCreate)],
  ['script', () => scriptSchema(TOOLSET_MEMBERS)],
]);

/** A schema that holds all that it refers to. */
function alone(schema: z.ZodType): JsonSchema {
  const components = new Components();
  const own = components.of(schema);
  const name = typeof own['$ref'] === 'string' ? own['$ref'].split('/').at(-1) : undefined;
  const { [name ?? '']: named = own, ...others } = components.schemas;
  const text = JSON.stringify({ ...named, $defs: others });
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')) as JsonSchema;
}

const names = [...MAKERS.keys()];
const route = routesOf<object>()('Schemas', {
  name: z.string().describe(`What the form is for: ${names.join(', ')}`),
});

/** The schemas of what people write in forms and editors, for those who build such. */
export const formSchemaRoutes = [
  route('GET /v1/schemas/{name}', 'retrieveSchema', 'Retrieve the JSON Schema of what people write', {
    description:
      'Ours. `agent` and `environment` are the bodies of the routes that create them; `script` is a script of the model ' +
      '`script`, once its YAML is read.',
    answer: anyObject,
    handle: (_deps, { params }) => {
      const make = MAKERS.get(params.name);
      if (make === undefined)
        throw new ApiError(
          'not_found_error',
          `Schema not found: ${params.name}; the names are ${names.join(', ')}`,
        );
      return make();
    },
  }),
];
