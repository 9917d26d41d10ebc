import type { ReactElement } from 'react';
import type { FormContext } from '../../parts/schema-form/form-context.ts';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import type { MemberSettings } from './member-settings.ts';

const DOMAINS = {
  allowed_domains: 'Only these domains',
  blocked_domains: 'Not these domains',
  max_content_tokens: 'Most tokens of a page',
} as const;

interface WebFetchFieldProps {
  readonly place: string;
  readonly schema: JsonSchema;
  readonly context: FormContext;
  readonly value: MemberSettings;
  readonly onChange: (settings: MemberSettings) => void;
}

/** The domains that `web_fetch` may fetch from, and how much of a page. */
export function WebFetchField({ place, schema, value, onChange, context }: WebFetchFieldProps): ReactElement {
  const held: Readonly<Record<string, unknown>> = { ...value };
  return (
    <details className="domains">
      <summary>What web_fetch may fetch</summary>
      {Object.entries(DOMAINS).map(([name, label]) => (
        <context.Field
          key={name}
          label={label}
          place={`${place}/${name}`}
          schema={schema.properties?.[name] ?? {}}
          value={held[name]}
          onChange={(next) => {
            const { [name]: _old, ...others } = held;
            onChange(next == null ? others : { ...held, [name]: next });
          }}
          required={false}
          context={context}
        />
      ))}
    </details>
  );
}
