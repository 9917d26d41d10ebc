import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactElement, useState } from 'react';
import { useStore } from '../../client/store.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Menu } from '../../parts/menu.tsx';
import { forgetView, saveView, views } from './view-store.ts';

interface SavedViewsProps {
  readonly query: string;
  readonly onChange: (query: string) => void;
}

/** Queries that this browser keeps under names. */
export function SavedViews({ query, onChange }: SavedViewsProps): ReactElement {
  const saved = useStore(views);
  const [naming, setNaming] = useState(false);
  const current = saved.find((view) => view.query === query);
  return (
    <>
      <Menu
        label="Views"
        items={[
          ...saved.map((view) => ({
            label: view.name,
            icon: Bookmark,
            run: () => onChange(view.query),
          })),
          { label: 'Save this view…', icon: BookmarkPlus, run: () => setNaming(true) },
          ...(current === undefined
            ? []
            : [
                {
                  label: `Forget “${current.name}”`,
                  icon: Trash2,
                  tone: 'danger' as const,
                  run: () => forgetView(current.name),
                },
              ]),
        ]}
      >
        <Bookmark size={15} aria-hidden />
        {current?.name ?? 'Views'}
      </Menu>
      {naming ? <NameDialog query={query} onClose={() => setNaming(false)} /> : null}
    </>
  );
}

function NameDialog({
  query,
  onClose,
}: {
  readonly query: string;
  readonly onClose: () => void;
}): ReactElement {
  const [name, setName] = useState('');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    saveView({ name: name.trim(), query });
    onClose();
  };
  return (
    <Dialog open title="Save this view" onClose={onClose}>
      <form className="stack" onSubmit={save}>
        <TextField label="Name" value={name} onChange={setName} required maxLength={80} />
        <p className="quiet small">
          {query === '' ? 'The view shows all workflows.' : <code>{query}</code>} This browser keeps it. To
          pass it on, send the address of this page.
        </p>
        <div className="dialog-actions">
          <Button type="submit" tone="primary" disabled={name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
