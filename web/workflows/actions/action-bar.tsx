import { CircleStop, MessageCircleQuestionMark, OctagonX, PencilLine, Radio, Undo2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import type { HistoryEvent } from '../history/history-event.ts';
import { ACTION_WORDS, type ActionName, type Workflow } from './action-name.ts';
import { EndDialog } from './end-dialog.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';

interface ActionBarProps {
  readonly workflow: Workflow;
  readonly events: readonly HistoryEvent[];
}

/** What may be done to the workflow. What may not says why. */
export function ActionBar({ workflow, events }: ActionBarProps): ReactElement {
  const [asked, setAsked] = useState<ActionName>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <Button onClick={() => setAsked('signal')}>
        <Radio size={15} aria-hidden />
        Signal
      </Button>
      <Button onClick={() => setAsked('query')}>
        <MessageCircleQuestionMark size={15} aria-hidden />
        Query
      </Button>
      <Menu
        label="More to do"
        items={[
          { label: 'Update…', icon: PencilLine, run: () => setAsked('update') },
          { label: 'Cancel…', icon: CircleStop, run: () => setAsked('cancel') },
          { label: 'Reset…', icon: Undo2, run: () => setAsked('reset') },
          { label: 'Terminate…', icon: OctagonX, tone: 'danger', run: () => setAsked('terminate') },
        ]}
      >
        More
      </Menu>
      {asked === undefined ? null : <ActionDialog {...{ asked, workflow, events, close }} />}
    </>
  );
}

interface ActionDialogProps extends ActionBarProps {
  readonly asked: ActionName;
  readonly close: () => void;
}

function ActionDialog({ asked, workflow, events, close }: ActionDialogProps): ReactElement {
  const { available, reason } = workflow.actions[asked];
  if (!available)
    return (
      <Dialog open title={`${ACTION_WORDS[asked]}: not now`} onClose={close}>
        <p className="notice">{reason ?? 'This cannot be done to this run.'}</p>
      </Dialog>
    );
  switch (asked) {
    case 'signal':
    case 'query':
    case 'update':
      return <MessageDialog kind={asked} workflow={workflow} onClose={close} />;
    case 'cancel':
    case 'terminate':
      return <EndDialog kind={asked} workflow={workflow} onClose={close} />;
    case 'reset':
      return <ResetDialog workflow={workflow} events={events} onClose={close} />;
  }
}
