import type { ReactElement } from 'react';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import { FormPart } from '../../parts/form-page.tsx';
import { PairsField } from '../../parts/pairs-field.tsx';
import type { FormState } from '../../parts/schema-form/form-state.ts';
import type { AgentValue } from './agent-value.ts';
import { ModelField } from './model-field.tsx';
import { ToolsField } from './tools-field.tsx';

/** The fields of an agent. */
export function AgentFields({ form }: { readonly form: FormState<AgentValue> }): ReactElement {
  const { value, context, set } = form;
  const { faults, touch, root } = context;
  const put = (name: string, next: unknown): void => {
    const { [name]: _old, ...others } = value;
    set(next === undefined || next === null ? others : { ...value, [name]: next });
  };
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '');
  const orNone = (name: string, next: string): void => put(name, next === '' ? undefined : next);
  const below = (place: string): string | undefined =>
    [...faults].find(([at]) => at === place || at.startsWith(`${place}/`))?.[1];
  return (
    <>
      <FormPart title="What it is">
        <TextField
          label="Name"
          required
          value={text('name')}
          problem={faults.get('/name')}
          onChange={(next) => put('name', next)}
          onBlur={() => touch('/name')}
          autoComplete="off"
        />
        <TextField
          label="Description"
          hint="For people; the model does not see it."
          value={text('description')}
          problem={faults.get('/description')}
          onChange={(next) => orNone('description', next)}
        />
        <ModelField
          value={value['model']}
          onChange={(next) => put('model', next)}
          problem={below('/model')}
          onBlur={() => touch('/model')}
        />
        <TextAreaField
          label="System prompt"
          hint="What the model is told before everything else."
          rows={10}
          value={text('system')}
          problem={faults.get('/system')}
          onChange={(next) => orNone('system', next)}
        />
      </FormPart>
      <FormPart title="Tools" hint="What it can do, and whether a person is asked first.">
        <ToolsField value={value['tools']} onChange={(next) => put('tools', next)} context={context} />
      </FormPart>
      <FormPart
        title="Rules and care"
        hint="Rules judge single actions: the first that matches decides, in place of the tool’s permission."
      >
        {(['policy', 'context_care'] as const).map((name) => (
          <context.Field
            key={name}
            label={name === 'policy' ? 'Action policy' : 'Context care'}
            place={`/${name}`}
            schema={root.properties?.[name] ?? {}}
            value={value[name]}
            onChange={(next) => put(name, next)}
            required={false}
            context={context}
          />
        ))}
      </FormPart>
      <FormPart title="Metadata" hint="Names and values of your own.">
        <PairsField
          label="Metadata"
          value={(value['metadata'] ?? {}) as Readonly<Record<string, string>>}
          onChange={(next) => put('metadata', next)}
          problem={below('/metadata')}
        />
      </FormPart>
    </>
  );
}
