import { type ReactElement, type ReactNode, useId } from 'react';
import type { Agent } from '../../client/api.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copyable.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { When } from '../../parts/when.tsx';
import { PolicyRules } from './policy-rules.tsx';
import { ToolsList } from './tools-list.tsx';

/** What an agent is. */
export function AboutTab({ agent }: { readonly agent: Agent }): ReactElement {
  const { model, description, system, tools, policy, context_care, metadata } = agent;
  const pairs = Object.entries(metadata);
  return (
    <div className="about-agent">
      {description === null ? null : <p className="description">{description}</p>}
      <KeyValues
        label="Facts"
        entries={[
          [
            'Model',
            <span key="model">
              <code>{model.id}</code>
              <CopyButton text={model.id} what="the model" />
            </span>,
          ],
          ['Effort', model.effort?.type],
          ['Speed', model.speed],
          ['Region', model.inference_geo],
          ['Made', <When key="made" at={agent.created_at} />],
          ['This version', <When key="changed" at={agent.updated_at} />],
        ]}
      />
      <Part title="System prompt">
        {system === null ? (
          <p className="quiet">It has none.</p>
        ) : (
          <CodeBlock code={system} label="Text of the system prompt" wrap />
        )}
      </Part>
      <Part title="Tools">
        <ToolsList tools={tools} />
      </Part>
      {agent.mcp_servers.length === 0 ? null : (
        <Part title="MCP servers">
          <JsonTree value={agent.mcp_servers} label="MCP servers" />
        </Part>
      )}
      <Part title="Action policy">
        {policy === undefined ? (
          <p className="quiet">It has none of its own: the tools’ permissions decide.</p>
        ) : (
          <PolicyRules policy={policy} />
        )}
      </Part>
      {context_care === undefined ? null : (
        <Part title="Context care">
          <JsonTree value={context_care} label="Context care" />
        </Part>
      )}
      {pairs.length === 0 ? null : (
        <Part title="Metadata">
          <KeyValues label="Metadata" entries={pairs} />
        </Part>
      )}
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
