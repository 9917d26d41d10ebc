import { Repeat, RotateCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { formatDuration } from '../../parts/format.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { When } from '../../parts/when.tsx';
import { TerminalView } from '../../sessions/tools/terminal-view.tsx';
import { TextResult } from '../../sessions/tools/text-result.tsx';
import { describeUse } from '../../sessions/turns/describe-use.ts';
import { groupOf } from './hand-action.ts';
import type { Answer, Hand, Run } from './use-hand.ts';

interface RunViewProps {
  readonly run: Run;
  readonly hand: Hand;
  /** Puts its input into the form again. */
  readonly onReuse: (run: Run) => void;
}

/** One action that was run by hand, and what came of it. */
export function RunView({ run, hand, onReuse }: RunViewProps): ReactElement {
  const { action, input, at, state, answer, took, problem } = run;
  const what = describeUse({ name: action.name, toolset_name: action.toolset_name ?? null, input });
  const text = textOf(answer);
  const failed = answer?.is_error === true;
  const command = groupOf(action) === 'bash' ? (input['command'] as string | undefined) : undefined;
  return (
    <li className="card run" aria-label={what}>
      <div className="run-head">
        <code className="run-what">{what}</code>
        {state === 'running' ? <Badge tone="running">running</Badge> : null}
        {failed ? <Badge tone="failed">error</Badge> : null}
        <span className="quiet small">
          <When as="clock" at={at} />
          {took === undefined ? null : `, ${formatDuration(took)}`}
        </span>
        <IconButton
          icon={Repeat}
          size="small"
          label={`Fill in again: ${what}`}
          onClick={() => onReuse(run)}
        />
      </div>
      {state === 'lost' ? (
        <div className="problem">
          <p>{problem}</p>
          <Button size="small" onClick={() => hand.askAgain(run)}>
            <RotateCw size={14} aria-hidden />
            Ask for the answer again
          </Button>
          <p className="small">If it was done, it is not done again.</p>
        </div>
      ) : null}
      {answer === undefined ? null : groupOf(action) === 'bash' && !failed ? (
        <TerminalView command={command} output={text} />
      ) : (
        <TextResult text={text} failed={failed} />
      )}
      <Pictures answer={answer} alt={`The screen after: ${what}`} />
    </li>
  );
}

function Pictures({
  answer,
  alt,
}: {
  readonly answer: Answer | undefined;
  readonly alt: string;
}): ReactElement {
  const blocks = typeof answer?.content === 'string' ? [] : (answer?.content ?? []);
  return (
    <>
      {blocks.map((block, index) =>
        block.type === 'image' ? (
          <img
            key={index}
            alt={alt}
            className="run-picture"
            src={`data:${block.source.media_type};base64,${block.source.data}`}
          />
        ) : null,
      )}
    </>
  );
}

function textOf(answer: Answer | undefined): string {
  if (answer === undefined) return '';
  if (typeof answer.content === 'string') return answer.content;
  return answer.content
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n')
    .trim();
}
