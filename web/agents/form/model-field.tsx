import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useId } from 'react';
import { read } from '../../client/queries.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';

interface ModelFieldProps {
  /** A name, or an object with `id` and settings. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly problem: string | undefined;
  readonly onBlur: () => void;
}

interface ModelSettings {
  readonly id?: unknown;
  readonly effort?: string | { readonly type?: string } | null;
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** The model by its name, with those that the server has, and how hard it should think. */
export function ModelField({ value, onChange, problem, onBlur }: ModelFieldProps): ReactElement {
  const list = useId();
  const { data } = useQuery(read('GET /v1/models', { query: { limit: '1000' } }));
  const settings: ModelSettings =
    typeof value === 'object' && value !== null ? (value as ModelSettings) : { id: value };
  const id = typeof settings.id === 'string' ? settings.id : '';
  const { effort } = settings;
  const level = (typeof effort === 'string' ? effort : effort?.type) ?? '';
  const change = (next: ModelSettings): void => {
    const { effort: _none, ...rest } = next;
    const kept = next.effort == null ? rest : next;
    onChange(Object.keys(kept).length === 1 ? kept.id : kept);
  };
  return (
    <div className="model-field">
      <TextField
        label="Model"
        required
        list={list}
        autoComplete="off"
        spellCheck={false}
        value={id}
        problem={problem}
        hint="A name that the server has, or that one of its patterns takes."
        onChange={(next) => change({ ...settings, id: next })}
        onBlur={onBlur}
      />
      <datalist id={list}>
        {data?.data.map((model) => (
          <option key={model.id} value={model.id}>
            {model.display_name}
          </option>
        ))}
      </datalist>
      <SelectField
        label="Effort"
        value={level}
        options={[
          { value: '', label: 'As the model likes' },
          ...EFFORTS.map((each) => ({ value: each as string, label: each })),
        ]}
        onChange={(next) => change({ ...settings, effort: next === '' ? null : { type: next } })}
      />
    </div>
  );
}
