import { Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import { Menu } from '../../parts/menu.tsx';
import type { FormContext } from '../../parts/schema-form/form-context.ts';
import { initialValue, type JsonSchema, shapeOf } from '../../parts/schema-form/json-schema.ts';
import { offered, toolTitle } from '../tool-words.ts';
import { ToolCard } from './tool-card.tsx';

interface ToolsFieldProps {
  readonly value: unknown;
  readonly onChange: (tools: readonly unknown[]) => void;
  readonly context: FormContext;
}

type Tool = Readonly<Record<string, unknown>>;

/** What a screen has unless somebody says otherwise. */
const SCREEN = { display_width_px: 1024, display_height_px: 768 };

/** The tools of an agent, each with a form of its type. */
export function ToolsField({ value, onChange, context }: ToolsFieldProps): ReactElement {
  const variants = variantsOf(context.root);
  const tools = (Array.isArray(value) ? value : []) as readonly Tool[];
  const add = (type: string): void => {
    const schema = variants.get(type) ?? {};
    const screen = Object.entries(SCREEN).filter(([name]) => schema.properties?.[name] !== undefined);
    const permission = schema.properties?.['permission_policy'] === undefined ? {} : ALLOWED;
    const initial = initialValue(schema, context.root) as object;
    onChange([...tools, { ...initial, ...Object.fromEntries(screen), ...permission }]);
  };
  const move = (index: number, by: 1 | -1): void => {
    const next = [...tools];
    const [tool] = next.splice(index, 1);
    if (tool !== undefined) next.splice(index + by, 0, tool);
    onChange(next);
  };
  const problem = context.faults.get('/tools');
  return (
    <div className="tools-field">
      {tools.map((tool, index) => (
        <ToolCard
          key={index}
          index={index}
          count={tools.length}
          schema={variants.get(String(tool['type']))}
          value={tool}
          onChange={(next) => onChange(tools.map((old, at) => (at === index ? next : old)))}
          onRemove={() => onChange(tools.filter((_, at) => at !== index))}
          onMove={(by) => move(index, by)}
          context={context}
        />
      ))}
      <Menu
        label="Add a tool"
        items={offered([...variants.keys()]).map((type) => ({
          label: toolTitle(type),
          run: () => add(type),
        }))}
      >
        <Plus size={14} aria-hidden />
        Add a tool
      </Menu>
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </div>
  );
}

const ALLOWED = { permission_policy: { type: 'always_allow' } };

/** The schemas of tools by their types. */
function variantsOf(root: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const { schema } = shapeOf(root.properties?.['tools'] ?? {}, root);
  return shapeOf(schema.items ?? {}, root).variants ?? new Map<string, JsonSchema>();
}
