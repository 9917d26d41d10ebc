import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { PageHeader } from '../../parts/page-header.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import type { Way } from '../batches-search.ts';
import { LinesForm } from './lines-form.tsx';
import { PromptsForm } from './prompts-form.tsx';

/** Makes a batch: of prompts, or of lines of JSON. */
export function CreatePage(): ReactElement {
  const { by = 'prompts' } = useSearch({ from: '/batches/new' });
  const navigate = useNavigate({ from: '/batches/new' });
  return (
    <div className="create-batch">
      <PageHeader title="New batch" back={{ to: '/batches', label: 'Batches' }} />
      <Tabs<Way>
        label="How it is made"
        value={by}
        onChange={(next) =>
          void navigate({ search: next === 'lines' ? { by: next } : {}, replace: true, resetScroll: false })
        }
        tabs={[
          { value: 'prompts', label: 'Of prompts', content: () => <PromptsForm /> },
          { value: 'lines', label: 'Of lines of JSON', content: () => <LinesForm /> },
        ]}
      />
    </div>
  );
}
