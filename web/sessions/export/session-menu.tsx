import { Archive, Braces, FileText, ScrollText } from 'lucide-react';
import type { ReactElement } from 'react';
import { ask, call, type Session, type SessionEvent } from '../../client/api.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { Menu } from '../../parts/menu.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { toastError } from '../../parts/toast.ts';
import { markdownOf } from './markdown.ts';

interface SessionMenuProps {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  /** All events have come, so that what is saved is whole. */
  readonly complete: boolean;
  /** The session was changed. */
  readonly onChange: () => void;
}

/** What else may be done with a session: save it in several forms, archive it. */
export function SessionMenu({ session, events, complete, onChange }: SessionMenuProps): ReactElement {
  const { ask: confirm, dialog } = useConfirm();
  const { id, archived_at } = session;
  const title = session.title ?? session.agent.name;
  const recording = async (): Promise<void> => {
    const answer = await ask('GET /v1/sessions/{id}/recording', { params: { id } });
    saveFile(`${id}.recording.json`, await answer.blob());
  };
  return (
    <>
      <Menu
        label="More about this session"
        items={[
          {
            label: 'Save the log as JSON lines',
            icon: Braces,
            disabled: !complete,
            run: () => {
              const lines = events.map((event) => `${JSON.stringify(event)}\n`);
              saveFile(`${id}.jsonl`, new Blob(lines, { type: 'application/x-ndjson' }));
            },
          },
          {
            label: 'Save the conversation as Markdown',
            icon: FileText,
            disabled: !complete,
            run: () => saveFile(`${id}.md`, new Blob([markdownOf(title, events)], { type: 'text/markdown' })),
          },
          {
            label: 'Save a recording to replay',
            icon: ScrollText,
            run: () => void recording().catch(toastError),
          },
          {
            label: 'Archive',
            icon: Archive,
            disabled: archived_at !== null || session.status === 'running',
            run: () =>
              confirm({
                title: `Archive “${title}”?`,
                text: 'It can be read, and takes no more messages.',
                verb: 'Archive',
                act: async () => {
                  await call('POST /v1/sessions/{id}/archive', { params: { id } });
                  onChange();
                },
              }),
          },
        ]}
      />
      {dialog}
    </>
  );
}
