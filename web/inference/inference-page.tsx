import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ImageUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, type ReactElement, useEffect, useState } from 'react';
import { follow } from '../client/queries.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { Problem } from '../parts/problem.tsx';
import { findingsOf } from './findings.ts';
import { FindingList, MarkedPicture } from './marked-picture.tsx';
import { ModelList, Timings } from './panels.tsx';
import { useAnalysis } from './use-analysis.ts';

/** Shows what a model sees in a picture: boxes over the picture, a list beside it, and how long each stage took. */
export function InferencePage(): ReactElement {
  const { data, error } = useQuery(follow('GET /v2/models', {}));
  const models = data?.models;
  const { model: chosen } = useSearch({ from: '/inference' });
  const navigate = useNavigate({ from: '/inference' });
  const [picture, setPicture] = useState<{ readonly file: File; readonly url: string }>();
  const [over, setOver] = useState(false);
  const [pointed, setPointed] = useState<number>();
  const model =
    models?.find(({ name }) => name === chosen) ?? models?.find((each) => each.default) ?? models?.[0];
  const { analysis, busy, problem } = useAnalysis(picture?.file, model);

  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ''), [picture]);

  const take = (file: File | undefined): void => {
    if (file !== undefined) setPicture({ file, url: URL.createObjectURL(file) });
  };
  const pick = (event: ChangeEvent<HTMLInputElement>): void => {
    take(event.target.files?.[0]);
    // The same file may be picked again.
    event.target.value = '';
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  const drag = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  const findings = analysis === undefined ? [] : findingsOf(analysis);

  return (
    <div className="inference">
      <PageHeader
        title="Images"
        actions={
          <>
            <label htmlFor="model" className="hidden">
              Model
            </label>
            <select
              id="model"
              value={model?.name ?? ''}
              onChange={(event) => void navigate({ search: { model: event.target.value }, replace: true })}
            >
              {(models ?? []).map(({ name, state, task }) => (
                <option key={name} value={name} disabled={state === 'refused'}>
                  {name}
                  {task === null || task === name ? '' : ` (${task})`}
                  {state === 'refused' || state === 'loading' ? `: ${state}` : ''}
                </option>
              ))}
            </select>
            <label className="button primary">
              <ImageUp size={15} aria-hidden />
              Choose a picture
              <input type="file" className="hidden" accept="image/*" onChange={pick} />
            </label>
          </>
        }
      />
      <Problem text={error?.message} />
      <Problem text={problem} />
      <div className="columns">
        <section
          className={over ? 'card target over' : 'card target'}
          aria-label="Picture"
          onDragOver={drag}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          {picture === undefined ? (
            <p className="blank">Drop a picture here, or choose one.</p>
          ) : (
            <MarkedPicture
              url={picture.url}
              name={picture.file.name}
              size={analysis?.image}
              findings={findings}
              pointed={pointed}
              onPoint={setPointed}
            />
          )}
        </section>
        <div className="side">
          <section className="card results" aria-label="Results" aria-busy={busy}>
            <h2>Results</h2>
            {busy ? <p className="quiet">Looking…</p> : null}
            {!busy && analysis === undefined ? <p className="quiet">Nothing yet.</p> : null}
            {!busy && analysis !== undefined ? (
              <FindingList findings={findings} pointed={pointed} onPoint={setPointed} />
            ) : null}
          </section>
          {analysis === undefined ? null : <Timings analysis={analysis} />}
          {models === undefined ? null : <ModelList models={models} />}
        </div>
      </div>
    </div>
  );
}
