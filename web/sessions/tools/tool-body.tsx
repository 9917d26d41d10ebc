import type { ReactElement } from 'react';
import { JsonTree } from '../../parts/json-tree.tsx';
import { describeUse } from '../turns/describe-use.ts';
import { textOf } from '../turns/event-types.ts';
import type { ToolRow } from '../turns/rows.ts';
import { EditView } from './edit-view.tsx';
import { FileView } from './file-view.tsx';
import { foundLines, foundPaths } from './found.ts';
import { KeysView, TypedView } from './keys-view.tsx';
import { PointerView } from './pointer-view.tsx';
import { SearchView } from './search-view.tsx';
import { shownUse } from './shown-use.ts';
import { TerminalView } from './terminal-view.tsx';
import { TextResult } from './text-result.tsx';

interface ToolBodyProps {
  readonly row: ToolRow;
}

/** A tool use as what it is: a click, keys, a terminal, a diff, a file, what was found; else its JSON. */
export function ToolBody({ row }: ToolBodyProps): ReactElement | null {
  const { use, result, after } = row;
  const shown = shownUse(use);
  const output = textOf(result?.content);
  const failed = result?.is_error === true;
  const said = <TextResult text={output} failed={failed} />;
  switch (shown.kind) {
    case 'terminal':
      return <TerminalView command={shown.command} output={output} />;
    case 'pointer':
      return (
        <>
          <PointerView row={row} to={shown.to} from={shown.from} what={describeUse(use)} />
          {said}
        </>
      );
    case 'keys':
      return (
        <>
          <KeysView keys={shown.keys} />
          {said}
        </>
      );
    case 'typed':
      return (
        <>
          <TypedView text={shown.text} />
          {said}
        </>
      );
    case 'edit':
      return (
        <>
          <EditView path={shown.path} before={shown.before} after={shown.after} />
          {failed ? said : null}
        </>
      );
    case 'write':
      return (
        <>
          <FileView path={shown.path} text={shown.text} />
          {failed ? said : null}
        </>
      );
    case 'file':
      if (failed) return said;
      return <FileView path={shown.path} text={output} from={shown.from} picture={after} />;
    case 'grep':
    case 'glob': {
      if (result === undefined || failed) return said;
      const found = shown.kind === 'grep' ? foundLines(output) : foundPaths(output);
      return <SearchView pattern={shown.pattern} found={found} output={output} />;
    }
    case 'fetch':
      return failed ? said : <FileView path={shown.url} text={output} picture={after} />;
    case 'screen':
      return said;
    case 'other':
      return (
        <>
          <JsonTree value={use.input} label={`Input of ${use.name}`} />
          {said}
        </>
      );
  }
}
