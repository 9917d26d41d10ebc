import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { read } from '../../client/queries.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { conditionOf, OPERATORS, operatorsOf } from '../query/condition.ts';

type Attribute = ApiAnswer<'GET /v1/workflow_namespace'>['search_attributes'][number];

interface FilterBuilderProps {
  readonly onAdd: (condition: string) => void;
}

/** What people ask for most stands first. */
const FIRST = ['WorkflowType', 'WorkflowId', 'StartTime', 'CloseTime', 'TaskQueue'];

/** A form that adds a condition to the query. */
export function FilterBuilder({ onAdd }: FilterBuilderProps): ReactElement {
  const { data } = useQuery(read('GET /v1/workflow_namespace', {}));
  const attributes = sorted(data?.search_attributes ?? []);
  const [name, setName] = useState('WorkflowType');
  const type = attributes.find((attribute) => attribute.name === name)?.type ?? 'Keyword';
  const operators = operatorsOf(type);
  const [chosen, setOperator] = useState('');
  const operator = operators.find((one) => one === chosen) ?? operators[0] ?? '=';
  const [value, setValue] = useState('');
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (value.trim() === '') return;
    onAdd(conditionOf(name, operator, value.trim(), type));
    setValue('');
  };
  return (
    <form className="card filter-builder" aria-label="Add a condition" onSubmit={add}>
      <SelectField
        label="Field"
        value={name}
        options={attributes.map((attribute) => ({ value: attribute.name, label: attribute.name }))}
        onChange={(next) => {
          setName(next);
          setValue('');
        }}
      />
      <SelectField
        label="Comparison"
        value={operator}
        options={operators.map((one) => ({ value: one, label: OPERATORS[one] }))}
        onChange={setOperator}
      />
      {type === 'Bool' ? (
        <SelectField
          label="Value"
          value={value}
          options={['', 'true', 'false'].map((one) => ({ value: one, label: one }))}
          onChange={setValue}
        />
      ) : (
        <TextField label="Value" value={value} type={INPUTS[type] ?? 'text'} step="any" onChange={setValue} />
      )}
      <Button type="submit" disabled={value.trim() === ''}>
        Add
      </Button>
    </form>
  );
}

const INPUTS: Readonly<Record<string, string>> = {
  Datetime: 'datetime-local',
  Int: 'number',
  Double: 'number',
};

function sorted(attributes: readonly Attribute[]): readonly Attribute[] {
  const rank = ({ name, system }: Attribute): number => {
    const place = FIRST.indexOf(name);
    return place >= 0 ? place : system ? 2000 : 1000;
  };
  return attributes.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
