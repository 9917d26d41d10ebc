import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { messageOf } from '../../client/request.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Problem } from '../../parts/problem.tsx';
import { type HistoryEvent } from '../history/history-event.ts';
import { HistoryDrop } from './history-drop.tsx';
import { FileHistory } from './file-history.tsx';
import { withEvent } from '../run-search.ts';
import { readHistoryFile } from './read-history-file.ts';

/** Shows a history from a file. The file stays in the browser. */
export function FilePage(): ReactElement {
  const { tab = 'compact', event } = useSearch({ from: '/workflows/file' });
  const navigate = useNavigate({ from: '/workflows/file' });
  const [opened, setOpened] = useState<{ name: string; events: readonly HistoryEvent[] }>();
  const [problem, setProblem] = useState<string>();
  const open = async (file: File): Promise<void> => {
    try {
      setOpened({ name: file.name, events: readHistoryFile(await file.text()) });
      setProblem(undefined);
    } catch (error) {
      setProblem(`${file.name}: ${messageOf(error)}`);
    }
  };
  return (
    <div className="workflow">
      <PageHeader
        title={opened?.name ?? 'History from a file'}
        back={{ to: '/workflows', label: 'Workflows' }}
      />
      <Problem text={problem} />
      <HistoryDrop small={opened !== undefined} onFile={(file) => void open(file)} />
      {opened === undefined ? null : (
        <FileHistory
          key={opened.name}
          events={opened.events}
          tab={tab}
          event={event}
          onTab={(next) =>
            void navigate({
              search: (search) => ({ ...search, tab: next }),
              replace: true,
              resetScroll: false,
            })
          }
          onEvent={(next) =>
            void navigate({
              search: (search) => withEvent(search, next),
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
    </div>
  );
}
