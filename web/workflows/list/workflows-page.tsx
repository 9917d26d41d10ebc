import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileJson, ListFilter } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { RequestFailedError } from '../../client/request.ts';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FilterBar, FilterSearch } from '../../parts/filters.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { withClause } from '../query/clauses.ts';
import { BatchActions } from './batch-actions.tsx';
import { ClauseChips } from './clause-chips.tsx';
import { FilterBuilder } from './filter-builder.tsx';
import { ListPaging } from './list-paging.tsx';
import { NoWorkflows } from './no-workflows.tsx';
import { SavedViews } from './saved-views.tsx';
import { StatusChoice } from './status-choice.tsx';
import { TimeRange } from './time-range.tsx';
import { PAGE_SIZE, rowKey, useWorkflowList, type WorkflowRow } from './use-workflow-list.ts';
import { WORKFLOW_COLUMNS } from './workflow-columns.tsx';

/** Shows the workflows of the namespace that a query finds, those that run first. */
export function WorkflowsPage(): ReactElement {
  const { query = '', page } = useSearch({ from: '/workflows' });
  const navigate = useNavigate({ from: '/workflows' });
  const { rows, arrivals, renew, older, error, retry } = useWorkflowList(query, page);
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set());
  const [building, setBuilding] = useState(false);
  const chosen = (rows ?? []).filter((row) => selected.has(rowKey(row)));
  const ask = (next: string): void => void navigate({ search: next === '' ? {} : { query: next } });
  const open = ({ workflow_id, run_id }: WorkflowRow): void =>
    void navigate({ to: '/workflows/$workflowId', params: { workflowId: workflow_id }, search: { run_id } });
  const isRefused = error instanceof RequestFailedError && error.status === 400;
  return (
    <div className="workflows">
      <PageHeader
        title="Workflows"
        actions={
          <>
            <Link to="/workflows/file" className="button">
              <FileJson size={15} aria-hidden />
              Open a file
            </Link>
            <SavedViews query={query} onChange={ask} />
          </>
        }
      />
      <FilterBar label="Which workflows">
        <FilterSearch
          label="Query"
          value={query}
          placeholder="WorkflowType = 'session' AND StartTime > '2026-01-01T00:00:00Z'"
          onSubmit={(text) => ask(text.trim())}
          problem={isRefused ? error.message : undefined}
        />
        <TimeRange query={query} onChange={ask} />
        <Button aria-expanded={building} onClick={() => setBuilding(!building)}>
          <ListFilter size={15} aria-hidden />
          Filter
        </Button>
      </FilterBar>
      {building ? <FilterBuilder onAdd={(condition) => ask(withClause(query, condition))} /> : null}
      <div className="filter-bar">
        <StatusChoice query={query} onChange={ask} />
        <ClauseChips query={query} onChange={ask} />
      </div>
      <BatchActions chosen={chosen} query={query} />
      {arrivals === 0 ? null : (
        <button type="button" className="arrivals" onClick={renew}>
          {arrivals >= PAGE_SIZE ? `${PAGE_SIZE} or more` : arrivals} new. Show{' '}
          {arrivals === 1 ? 'it' : 'them'}
        </button>
      )}
      {error !== null && rows === undefined && !isRefused ? <ErrorState error={error} retry={retry} /> : null}
      {error !== null && rows === undefined ? null : (
        <DataTable
          label="Workflows"
          columns={WORKFLOW_COLUMNS}
          rows={rows}
          rowKey={rowKey}
          onOpen={open}
          selection={{ selected, onSelect }}
          empty={<NoWorkflows filtered={query !== ''} onClear={() => ask('')} />}
        />
      )}
      <ListPaging isFirst={page === undefined} older={older} />
    </div>
  );
}
