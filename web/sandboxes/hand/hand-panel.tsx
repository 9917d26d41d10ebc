import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { read } from '../../client/queries.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { FilterChoice } from '../../parts/filters.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ActionForm } from './action-form.tsx';
import { type Group, groupOf, GROUPS, nameOf } from './hand-action.ts';
import type { Aim } from './pick-overlay.tsx';
import { RunView } from './run-view.tsx';
import type { Hand, Run } from './use-hand.ts';

const LABELS = { computer: 'Computer', bash: 'Shell', editor: 'Editor' } as const satisfies Record<
  Group,
  string
>;

interface HandPanelProps {
  readonly sandbox: string;
  readonly hand: Hand;
  readonly onAim: (aim: Aim | undefined) => void;
}

/** Runs one tool use at a time by hand, and shows what came of each. */
export function HandPanel({ sandbox, hand, onAim }: HandPanelProps): ReactElement {
  const { action: wanted } = useSearch({ from: '/sandboxes/$id' });
  const navigate = useNavigate({ from: '/sandboxes/$id' });
  const [reused, setReused] = useState<Run>();
  const { data, error, refetch } = useQuery(
    read('GET /v1/sandboxes/{id}/tools', { params: { id: sandbox } }),
  );
  if (data === undefined)
    return error === null ? <Loading rows={4} /> : <ErrorState error={error} retry={refetch} />;
  const actions = data.data;
  const chosen =
    actions.find((action) => nameOf(action) === wanted) ??
    actions.find((action) => nameOf(action) === 'computer.left_click') ??
    actions[0];
  if (chosen === undefined) return <p className="quiet">It can be told to do nothing.</p>;
  const group = groupOf(chosen);
  const choose = (name: string): void => {
    void navigate({
      search: (search) => ({ ...search, action: name }),
      replace: true,
      resetScroll: false,
    });
  };
  const ofGroup = actions.filter((action) => groupOf(action) === group);
  const initial = reused !== undefined && nameOf(reused.action) === nameOf(chosen) ? reused : undefined;
  return (
    <div className="hand-panel">
      <FilterChoice
        label="Tool"
        value={group}
        options={GROUPS.map((value) => ({ value, label: LABELS[value] }))}
        onChange={(next) => {
          const first = actions.find((action) => groupOf(action) === next);
          if (first !== undefined) choose(nameOf(first));
        }}
      />
      <SelectField
        label="Action"
        value={nameOf(chosen)}
        options={ofGroup.map((action) => ({
          value: nameOf(action),
          label: action.action.replaceAll('_', ' '),
        }))}
        onChange={choose}
      />
      <ActionForm
        key={`${nameOf(chosen)} ${initial?.id ?? ''}`}
        action={chosen}
        initial={initial?.input}
        busy={hand.busy}
        onAim={onAim}
        onRun={(input) => hand.run(chosen, input)}
      />
      {hand.runs.length === 0 ? null : (
        <ol className="plain runs" aria-label="Run by hand">
          {hand.runs.map((run) => (
            <RunView
              key={run.id}
              run={run}
              hand={hand}
              onReuse={(used) => {
                setReused({ ...used });
                choose(nameOf(used.action));
              }}
            />
          ))}
        </ol>
      )}
    </div>
  );
}
