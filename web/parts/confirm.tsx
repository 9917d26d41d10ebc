import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';
import { useAction } from './use-action.ts';

export interface Question {
  /** What will happen, as a question: `Delete this session?` */
  readonly title: string;
  /** What it means, and whether it can be undone. */
  readonly text: ReactNode;
  /** The button that does it, in the question's own verb: `Delete`. */
  readonly verb: string;
  /** Default: `danger`. */
  readonly tone?: 'danger' | 'primary';
  readonly act: () => Promise<void>;
}

/**
 * Asks before something that cannot be undone; a failure is said in the question, which stays open. Put `dialog` on the page.
 *
 * @example
 * const { ask, dialog } = useConfirm();
 * <Button onClick={() => ask({ title: 'Delete it?', text: 'Its files go, too.', verb: 'Delete', act: remove })} />
 */
export function useConfirm(): {
  readonly ask: (question: Question) => void;
  readonly dialog: ReactElement | null;
} {
  const [question, setQuestion] = useState<Question>();
  const [open, setOpen] = useState(false);
  const ask = (asked: Question): void => {
    setQuestion(asked);
    setOpen(true);
  };
  const dialog =
    question === undefined ? null : (
      <Confirm question={question} open={open} onClose={() => setOpen(false)} />
    );
  return { ask, dialog };
}

interface ConfirmProps {
  readonly question: Question;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Confirm({ question, open, onClose }: ConfirmProps): ReactElement {
  const action = useAction();
  const { title, text, verb, tone = 'danger', act } = question;
  const perform = (): void =>
    action.run(async () => {
      await act();
      onClose();
    });
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Viewport className="dialog-place">
          <AlertDialog.Popup className="dialog">
            <div className="dialog-top">
              <AlertDialog.Title>{title}</AlertDialog.Title>
            </div>
            <AlertDialog.Description className="dialog-body" render={<div />}>
              {text}
            </AlertDialog.Description>
            <Problem text={action.problem} />
            <div className="dialog-actions">
              <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
              <Button tone={tone} busy={action.busy} onClick={perform}>
                {verb}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
