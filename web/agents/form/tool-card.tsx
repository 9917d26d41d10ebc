import { ChevronDown, ChevronUp, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../parts/icon-button.tsx';
import type { FormContext } from '../../parts/schema-form/form-context.ts';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { ObjectField } from '../../parts/schema-form/object-field.tsx';
import { toolTitle } from '../tool-words.ts';
import { MembersField } from './members-field.tsx';

interface ToolCardProps {
  readonly index: number;
  readonly count: number;
  readonly schema: JsonSchema | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  readonly onRemove: () => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly context: FormContext;
}

/** One tool of the agent and its settings. */
export function ToolCard(props: ToolCardProps): ReactElement {
  const { index, count, schema, value, onChange, onRemove, onMove, context } = props;
  const type = String(value['type']);
  const title = toolTitle(type);
  const place = `/tools/${index}`;
  return (
    <div className="tool-card" role="group" aria-label={`Tool ${index + 1}: ${title}`}>
      <div className="tool-head">
        <strong>{title}</strong>
        <code className="quiet small">{type}</code>
        <span className="buttons">
          <IconButton
            icon={ChevronUp}
            size="small"
            tone="subtle"
            label={`Move tool ${index + 1} up`}
            disabled={index === 0}
            onClick={() => onMove(-1)}
          />
          <IconButton
            icon={ChevronDown}
            size="small"
            tone="subtle"
            label={`Move tool ${index + 1} down`}
            disabled={index === count - 1}
            onClick={() => onMove(1)}
          />
          <IconButton
            icon={X}
            size="small"
            tone="subtle"
            label={`Remove tool ${index + 1}`}
            onClick={onRemove}
          />
        </span>
      </div>
      {schema === undefined ? (
        <p className="hint">There is no form for this type; see it as JSON.</p>
      ) : type === 'agent_toolset_20260401' ? (
        <MembersField {...{ place, schema, value, context }} onChange={(next) => onChange({ ...next })} />
      ) : (
        <ObjectField
          {...{ place, schema, value, context }}
          label="Settings"
          required
          optional={false}
          absent={undefined}
          onChange={(next) => onChange(next as Readonly<Record<string, unknown>>)}
        />
      )}
    </div>
  );
}
