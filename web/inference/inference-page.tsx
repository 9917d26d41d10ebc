import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ImageUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, type ReactElement, useState } from 'react';
import { follow } from '../client/queries.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { Problem } from '../parts/problem.tsx';
import { AnswerTabs } from './answer-tabs.tsx';
import { findingsOf } from './findings.ts';
import { hiddenLabels, hiddenLayers } from './inference-search.ts';
import { LayerBar } from './layer-bar.tsx';
import { MarkedPicture } from './marked-picture.tsx';
import { ModelList, Timings } from './panels.tsx';
import { PictureStrip } from './picture-strip.tsx';
import { useAnalysis } from './use-analysis.ts';
import { usePictures } from './use-pictures.ts';

/** Shows what a model sees in pictures: marks over each picture, the answer beside it, and how long each stage took. */
export function InferencePage(): ReactElement {
  const { data, error } = useQuery(follow('GET /v2/models', {}));
  const models = data?.models;
  const search = useSearch({ from: '/inference' });
  const navigate = useNavigate({ from: '/inference' });
  const { pictures, current: picture, index, add, go, clear } = usePictures();
  const [over, setOver] = useState(false);
  const [pointed, setPointed] = useState<number>();
  const model =
    models?.find(({ name }) => name === search.model) ?? models?.find((each) => each.default) ?? models?.[0];
  const { analysis, busy, problem } = useAnalysis(picture, model);

  const pick = (event: ChangeEvent<HTMLInputElement>): void => {
    add([...(event.target.files ?? [])]);
    // The same file may be picked again.
    event.target.value = '';
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    add([...event.dataTransfer.files]);
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
              onChange={(event) =>
                void navigate({
                  search: (before) => ({ ...before, model: event.target.value }),
                  replace: true,
                })
              }
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
              Choose pictures
              <input type="file" className="hidden" accept="image/*" multiple onChange={pick} />
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
            <p className="blank">Drop pictures here, or choose some.</p>
          ) : (
            <MarkedPicture
              url={picture.url}
              name={picture.file.name}
              size={analysis?.image}
              findings={findings}
              hiddenLayers={hiddenLayers(search)}
              hiddenLabels={hiddenLabels(search)}
              pointed={pointed}
              onPoint={setPointed}
            />
          )}
          <LayerBar findings={findings} />
          {pictures.length < 2 ? null : <PictureStrip {...{ pictures, index, go, clear }} />}
        </section>
        <div className="side">
          <section className="card results" aria-label="Results" aria-busy={busy}>
            <h2>Results</h2>
            {busy ? <p className="quiet">Looking…</p> : null}
            {!busy && analysis === undefined ? <p className="quiet">Nothing yet.</p> : null}
            {!busy && analysis !== undefined && model !== undefined && picture !== undefined ? (
              <AnswerTabs
                {...{ analysis, findings, model, pointed }}
                fileName={picture.file.name}
                onPoint={setPointed}
              />
            ) : null}
          </section>
          {analysis === undefined ? null : <Timings analysis={analysis} />}
          {models === undefined ? null : <ModelList models={models} />}
        </div>
      </div>
    </div>
  );
}
