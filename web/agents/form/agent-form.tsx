import type { ReactElement, ReactNode } from 'react';
import { BodyFields } from '../../parts/body-fields.tsx';
import { FormPage } from '../../parts/form-page.tsx';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { useBodyForm } from '../../parts/use-body-form.ts';
import { WORDS } from '../tool-words.ts';
import { AgentFields } from './agent-fields.tsx';
import type { AgentValue } from './agent-value.ts';

interface AgentFormProps {
  readonly schema: JsonSchema;
  readonly initial: AgentValue;
  readonly verb: string;
  readonly onSend: (value: AgentValue) => Promise<void>;
  readonly beside: ReactNode;
}

/** Creates or changes an agent. */
export function AgentForm({ schema, initial, verb, onSend, beside }: AgentFormProps): ReactElement {
  const body = useBodyForm(schema, () => initial, WORDS);
  return (
    <FormPage action={body.action} verb={verb} onSubmit={() => body.submit(onSend)} beside={beside}>
      <BodyFields label="Agent" body={body}>
        <AgentFields form={body.form} />
      </BodyFields>
    </FormPage>
  );
}
