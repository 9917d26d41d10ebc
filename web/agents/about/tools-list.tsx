import type { ReactElement } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { type Tool, toolTitle, WORDS } from '../tool-words.ts';

/** An agent's tools, each with what it may do. */
export function ToolsList({ tools }: { readonly tools: readonly Tool[] }): ReactElement {
  if (tools.length === 0) return <p className="quiet">It has no tools: it can only talk.</p>;
  return (
    <ul className="plain tool-list">
      {tools.map((tool, index) => (
        <li key={index} className="card tool">
          <OneTool tool={tool} />
        </li>
      ))}
    </ul>
  );
}

function OneTool({ tool }: { readonly tool: Tool }): ReactElement {
  if (tool.type === 'agent_toolset_20260401') {
    return (
      <>
        <h3>{toolTitle(tool.type)}</h3>
        <ul className="plain members">
          {tool.configs
            .filter(({ enabled }) => enabled)
            .map(({ name, permission_policy }) => (
              <li key={name}>
                <code>{name}</code> <Permission type={permission_policy.type} />
              </li>
            ))}
        </ul>
      </>
    );
  }
  if (tool.type === 'custom') {
    return (
      <>
        <h3>
          {toolTitle(tool.type)} <code>{tool.name}</code>
        </h3>
        <p>{tool.description}</p>
        <JsonTree value={tool.input_schema} label={`Input of ${tool.name}`} open={1} />
      </>
    );
  }
  const { type, permission_policy, ...rest } = tool;
  const facts = Object.entries(rest).filter(([name, value]) => name !== 'name' && value != null);
  return (
    <>
      <h3>
        {toolTitle(type)} <Permission type={permission_policy.type} />
      </h3>
      {facts.length === 0 ? null : (
        <p className="quiet small">
          {facts.map(([name, value]) => `${WORDS[name] ?? name}: ${JSON.stringify(value)}`).join(' · ')}
        </p>
      )}
    </>
  );
}

function Permission({ type }: { readonly type: string }): ReactElement {
  return (
    <Badge tone={type === 'always_ask' ? 'waiting' : 'neutral'} plain>
      {WORDS[type] ?? type}
    </Badge>
  );
}
