import type { ReactElement, ReactNode } from 'react';
import { BodyFields } from '../../parts/body-fields.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormPage, FormPart } from '../../parts/form-page.tsx';
import { PairsField } from '../../parts/pairs-field.tsx';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { type BodyValue, useBodyForm } from '../../parts/use-body-form.ts';
import { WORDS } from '../environment-words.ts';

interface EnvironmentFormProps {
  readonly schema: JsonSchema;
  readonly initial: BodyValue;
  readonly verb: string;
  readonly onSend: (value: BodyValue) => Promise<void>;
  readonly beside: ReactNode;
}

/** Creates or changes an environment. */
export function EnvironmentForm(props: EnvironmentFormProps): ReactElement {
  const { schema, initial, verb, onSend, beside } = props;
  const body = useBodyForm(schema, () => initial, WORDS);
  const { value, set, context } = body.form;
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '');
  return (
    <FormPage action={body.action} verb={verb} onSubmit={() => body.submit(onSend)} beside={beside}>
      <BodyFields label="Environment" body={body}>
        <FormPart title="What it is">
          <TextField
            label="Name"
            required
            value={text('name')}
            problem={context.faults.get('/name')}
            onChange={(name) => set({ ...value, name })}
            onBlur={() => context.touch('/name')}
            autoComplete="off"
          />
          <TextField
            label="Description"
            value={text('description')}
            problem={context.faults.get('/description')}
            onChange={(next) => set({ ...value, description: next === '' ? null : next })}
          />
        </FormPart>
        <FormPart title="Its sandboxes">
          <context.Field
            label="Where they run"
            place="/config"
            schema={schema.properties?.['config'] ?? {}}
            value={value['config']}
            onChange={(config) => set({ ...value, config })}
            required={false}
            context={context}
          />
        </FormPart>
        <FormPart title="Metadata" hint="Names and values of your own.">
          <PairsField
            label="Metadata"
            value={(value['metadata'] ?? {}) as Readonly<Record<string, string>>}
            onChange={(metadata) => set({ ...value, metadata })}
            problem={[...context.faults].find(([place]) => place.startsWith('/metadata'))?.[1]}
          />
        </FormPart>
      </BodyFields>
    </FormPage>
  );
}
