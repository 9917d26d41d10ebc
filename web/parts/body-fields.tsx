import type { ReactElement, ReactNode } from 'react';
import { FilterChoice } from './filters.tsx';
import { JsonDocument } from './json-document.tsx';
import type { BodyForm } from './use-body-form.ts';

interface BodyFieldsProps {
  /** What is written, e.g. `Agent`. */
  readonly label: string;
  readonly body: BodyForm;
  /** The fields, where it is not written as JSON. */
  readonly children: ReactNode;
}

/** The fields of a body, or the body as JSON: both write the same value. */
export function BodyFields({ label, body, children }: BodyFieldsProps): ReactElement {
  const { form, view, setView, readable, setReadable } = body;
  return (
    <>
      <div className="filter-bar">
        <FilterChoice
          label="Written as"
          value={view}
          options={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={(next) => (readable ? setView(next) : undefined)}
        />
        {readable ? null : <span className="field-problem">The form comes back once this is JSON.</span>}
      </div>
      {view === 'json' ? (
        <JsonDocument
          label={`${label} as JSON`}
          value={form.value}
          onChange={form.set}
          onReadable={setReadable}
          problems={[...form.context.faults].map(([place, text]) => `${place}: ${text}`)}
        />
      ) : (
        children
      )}
    </>
  );
}
