import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { read } from '../../client/queries.ts';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import { CreateButton } from './create-button.tsx';
import { linesOfPrompts, type PromptFields } from './lines.ts';
import { useCreate } from './use-create.ts';

const EMPTY: PromptFields = { model: '', maxTokens: '1024', system: '', prompts: '' };

/** One request for each line of text, all to the same model. */
export function PromptsForm(): ReactElement {
  const list = useId();
  const creating = useCreate();
  const [fields, setFields] = useState(EMPTY);
  const [checked, setChecked] = useState(false);
  const models = useQuery(read('GET /v1/models', { query: { limit: '100' } })).data?.data ?? [];
  const set = (change: Partial<PromptFields>): void => setFields((before) => ({ ...before, ...change }));
  const requests = linesOfPrompts(fields).split('\n').filter(Boolean);
  const noModel = fields.model.trim() === '' ? 'Expected the name of a model.' : undefined;
  const noTokens = /^[1-9]\d*$/.test(fields.maxTokens.trim())
    ? undefined
    : 'Expected a whole number above 0.';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (noModel === undefined && noTokens === undefined && requests.length > 0) creating.create(requests);
  };
  return (
    <form className="batch-form" onSubmit={submit}>
      <div className="batch-form-pair">
        <TextField
          label="Model"
          required
          list={list}
          spellCheck={false}
          value={fields.model}
          problem={checked ? noModel : undefined}
          onChange={(model) => set({ model })}
        />
        <datalist id={list}>
          {models.map(({ id }) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <TextField
          label="Tokens of an answer at most"
          required
          inputMode="numeric"
          value={fields.maxTokens}
          problem={checked ? noTokens : undefined}
          onChange={(maxTokens) => set({ maxTokens })}
        />
      </div>
      <TextAreaField
        label="System prompt"
        rows={2}
        value={fields.system}
        onChange={(system) => set({ system })}
      />
      <TextAreaField
        label="Prompts"
        required
        rows={10}
        hint="One a line; each becomes a request."
        value={fields.prompts}
        onChange={(prompts) => set({ prompts })}
      />
      <CreateButton creating={creating} count={requests.length} />
    </form>
  );
}
