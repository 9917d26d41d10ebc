import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { LiveRegion } from '../../../web/parts/announce.tsx';
import { Badge } from '../../../web/parts/badge.tsx';
import { Button } from '../../../web/parts/button.tsx';
import { CodeBlock } from '../../../web/parts/code-block.tsx';
import { CodeEditor } from '../../../web/parts/code-editor.tsx';
import { CopyableId } from '../../../web/parts/copyable.tsx';
import { DataTable, type Sort } from '../../../web/parts/data-table.tsx';
import { Dialog } from '../../../web/parts/dialog.tsx';
import { FilterAdd, FilterBar, FilterChip, FilterSearch } from '../../../web/parts/filters.tsx';
import { formatDuration } from '../../../web/parts/format.ts';
import { JsonTree } from '../../../web/parts/json-tree.tsx';
import { KeyValues } from '../../../web/parts/key-values.tsx';
import { Menu } from '../../../web/parts/menu.tsx';
import { PageHeader } from '../../../web/parts/page-header.tsx';
import type { JsonSchema } from '../../../web/parts/schema-form/json-schema.ts';
import { useSchemaForm } from '../../../web/parts/schema-form/schema-form.tsx';
import { SplitPanes } from '../../../web/parts/split-panes.tsx';
import { Tabs } from '../../../web/parts/tabs.tsx';
import { Toasts } from '../../../web/parts/toasts.tsx';
import { toast } from '../../../web/parts/toast.ts';
import { Lasted, When } from '../../../web/parts/when.tsx';

/** Every shared part with something in it, for tests that use them by hand. */

interface Row {
  readonly id: string;
  readonly ms: number;
}

const ROWS: readonly Row[] = Array.from({ length: 20_000 }, (_, index) => ({
  id: `run-${index}`,
  ms: (index * 7919) % 100_000,
}));

const SCHEMA: JsonSchema = {
  type: 'object',
  required: ['customer', 'items'],
  properties: {
    customer: { type: 'string', minLength: 1, description: 'Who pays.' },
    gift: { type: 'boolean' },
    priority: { enum: ['low', 'high'] },
    items: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku', 'count'],
        properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
      },
    },
    extra: {},
  },
};

const VALUE = {
  order: { customer: 'Ada', items: [{ sku: 'TEA', count: 2 }], note: null, paid: true },
  log: Array.from({ length: 150 }, (_, index) => `line ${index}`),
};

function Table(): ReactElement {
  const [sort, onSort] = useState<Sort>({ column: 'id', direction: 'ascending' });
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState('');
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const rows = sort.column === 'ms' ? ROWS.toSorted((a, b) => sign * (a.ms - b.ms)) : ROWS;
  return (
    <section aria-label="Table">
      <p role="status">
        {selected.size} selected, opened {opened}
      </p>
      <DataTable
        label="Runs"
        columns={[
          { id: 'id', title: 'Run', cell: ({ id }) => id },
          { id: 'ms', title: 'Took', cell: ({ ms }) => formatDuration(ms), align: 'end', sortable: true },
        ]}
        rows={rows}
        rowKey={({ id }) => id}
        onOpen={({ id }) => setOpened(id)}
        sort={sort}
        onSort={onSort}
        selection={{ selected, onSelect }}
        empty="Nothing"
      />
    </section>
  );
}

function Form(): ReactElement {
  const form = useSchemaForm('Order', SCHEMA);
  const [sent, setSent] = useState('');
  return (
    <form
      aria-label="Order"
      onSubmit={(event) => {
        event.preventDefault();
        if (form.check()) setSent(JSON.stringify(form.value));
      }}
    >
      {form.fields}
      <Button type="submit" tone="primary">
        Send
      </Button>
      <output>{sent}</output>
    </form>
  );
}

function Editor(): ReactElement {
  const [code, setCode] = useState('- say: hello\n');
  return (
    <section aria-label="Editor">
      <CodeEditor label="Script" language="yaml" code={code} onChange={setCode} />
      <output>{code}</output>
    </section>
  );
}

function Gallery(): ReactElement {
  const [tab, setTab] = useState<'values' | 'code' | 'empty'>('values');
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  return (
    <main className="page">
      <PageHeader
        title="Parts"
        status={<Badge tone="running">running</Badge>}
        actions={
          <>
            <Button onClick={() => setOpen(true)}>Open the dialog</Button>
            <Button onClick={() => toast('Something was done.')}>Do something</Button>
            <Menu label="More" items={[{ label: 'Reset', run: () => toast('Reset.') }]} />
          </>
        }
      />
      <FilterBar label="Filters">
        <FilterAdd onAdd={() => setQuery('added')} />
        <FilterSearch label="Query" value={query} onSubmit={setQuery} />
        {query === '' ? null : (
          <FilterChip name="Query" onRemove={() => setQuery('')}>
            {query}
          </FilterChip>
        )}
      </FilterBar>
      <SplitPanes
        name="gallery"
        first={
          <Tabs
            label="Views"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'values', label: 'Values', content: () => <JsonTree label="Context" value={VALUE} /> },
              {
                value: 'code',
                label: 'Code',
                content: () => <CodeBlock label="Trace" code={'at a\nat b'} />,
              },
              { value: 'empty', label: 'Nothing', content: () => null },
            ]}
          />
        }
        second={
          <KeyValues
            entries={[
              ['Id', <CopyableId key="id" id="run-0123456789abcdef" />],
              ['Begun', <When key="at" at="2026-01-02T03:04:05Z" as="exact" />],
              ['Took', <Lasted key="took" from="2026-01-02T03:04:05Z" to="2026-01-02T03:04:08.500Z" />],
              ['Absent', undefined],
            ]}
          />
        }
      />
      <Form />
      <Editor />
      <Table />
      <Dialog open={open} title="A dialog" onClose={() => setOpen(false)}>
        <p>Text.</p>
      </Dialog>
      <Toasts />
      <LiveRegion />
    </main>
  );
}

const router = createRouter({ routeTree: createRootRoute({ component: Gallery }) });
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<RouterProvider router={router} />);
