import { Archive, Braces, FileText, Film, FlaskConical, ScrollText } from 'lucide-react';
import type { ReactElement } from 'react';
import { ask, call, type Session, type SessionEvent } from '../../client/api.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { Menu } from '../../parts/menu.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { toast, toastError } from '../../parts/toast.ts';
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
  const download = async (
    route:
      | 'GET /v1/sessions/{id}/recording'
      | 'GET /v1/sessions/{id}/replay_test'
      | 'GET /v1/sessions/{id}/film',
    name: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<void> => saveFile(name, await (await ask(route, { params: { id }, query })).blob());
  const film = (pauses: 'kept' | 'cut'): Promise<void> => {
    toast('The film is being made.');
    return download('GET /v1/sessions/{id}/film', `${id}.webm`, { pauses });
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
            run: () =>
              void download('GET /v1/sessions/{id}/recording', `${id}.recording.json`).catch(toastError),
          },
          {
            label: 'Save the film of its screen',
            icon: Film,
            run: () => void film('kept').catch(toastError),
          },
          {
            label: 'Save the film without long pauses',
            icon: Film,
            run: () => void film('cut').catch(toastError),
          },
          {
            label: 'Save as a test that replays it',
            icon: FlaskConical,
            run: () =>
              void download('GET /v1/sessions/{id}/replay_test', `${id}.replay-test.zip`).catch(toastError),
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
