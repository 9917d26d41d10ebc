import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { Analysis, Model } from '../client/api.ts';
import { storedKey } from '../client/access.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { FilterChoice } from '../parts/filters.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { inferenceSearch } from './inference-search.ts';
import { FindingList } from './finding-list.tsx';
import type { Finding } from './findings.ts';
import { type Language, LANGUAGES, sameCall } from './same-call.ts';

interface AnswerTabsProps {
  readonly analysis: Analysis;
  readonly findings: readonly Finding[];
  readonly model: Model;
  readonly fileName: string;
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
}

/** An answer as a list, as the JSON that it came in, and the call that brings it in other languages. */
export function AnswerTabs(props: AnswerTabsProps): ReactElement {
  const { analysis, findings, model, fileName, pointed, onPoint } = props;
  const { tab = 'found' } = useSearch({ from: '/inference' });
  const navigate = useNavigate({ from: '/inference' });
  return (
    <Tabs
      label="How the answer is shown"
      tabs={[
        {
          value: 'found',
          label: 'Found',
          content: () => <FindingList findings={findings} pointed={pointed} onPoint={onPoint} />,
        },
        { value: 'json', label: 'JSON', content: () => <JsonTree value={analysis} label="Answer" /> },
        {
          value: 'call',
          label: 'The same call',
          content: () => <SameCallTab model={model} fileName={fileName} />,
        },
      ]}
      value={tab}
      onChange={(next) =>
        void navigate({
          search: (before) => inferenceSearch({ ...before, tab: next }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}

function SameCallTab({
  model: { name, task },
  fileName,
}: {
  readonly model: Model;
  readonly fileName: string;
}): ReactElement {
  const [language, setLanguage] = useState<Language>('curl');
  const code = sameCall(language, {
    origin: window.location.origin,
    model: name,
    isStats: task === 'tensor',
    file: fileName,
    needsKey: storedKey() !== null,
  });
  return (
    <div className="stack">
      <FilterChoice
        label="Language"
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: value }))}
        onChange={setLanguage}
      />
      <CodeBlock code={code} label={`The same call in ${language}`} wrap />
    </div>
  );
}
