import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../client/queries.ts';
import { SelectField } from '../../parts/fields.tsx';

interface EnvironmentFieldProps {
  /** Empty for the server's own. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly problem?: string | undefined;
}

/** The environment of a session. Those that this server cannot run are there, and cannot be chosen. */
export function EnvironmentField({ value, onChange, problem }: EnvironmentFieldProps): ReactElement {
  const { data } = useQuery(read('GET /v1/environments', { query: { limit: '1000' } }));
  const others = (data?.data ?? []).filter(({ id }) => id !== 'env_default');
  return (
    <SelectField
      label="Environment"
      hint="What its sandbox is made from."
      value={value}
      problem={problem}
      options={[
        { value: '', label: 'The default one' },
        ...others.map(({ id, name, config }) => ({
          value: id,
          label: config.type === 'self_hosted' ? `${name} (self-hosted)` : name,
          disabled: config.type === 'self_hosted',
        })),
      ]}
      onChange={onChange}
    />
  );
}
