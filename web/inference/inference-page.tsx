import { type ChangeEvent, type DragEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { call } from '../client/api.ts';
import { FindingList, MarkedPicture } from './marked-picture.tsx';
import { type Analysis, analyze, type Model } from '../client/inference-api.ts';
import { findingsOf } from './findings.ts';

const REFRESH_MS = 3000;

/** Shows what a model sees in a picture: boxes over the picture, a list beside it, and how long each stage took. */
export function InferencePage(): ReactElement {
  const { models, problem: listProblem } = useModels();
  const [chosen, setChosen] = useState<string>();
  const [picture, setPicture] = useState<{ readonly file: File; readonly url: string }>();
  const [over, setOver] = useState(false);
  const [pointed, setPointed] = useState<number>();
  const model =
    models?.find(({ name }) => name === chosen) ?? models?.find((each) => each.default) ?? models?.[0];
  const { analysis, busy, problem } = useAnalysis(picture?.file, model);

  useEffect(() => {
    document.title = 'Inference · Steadyhand';
  }, []);
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
      <div className="heading">
        <h1>Inference</h1>
        <div className="buttons">
          <label htmlFor="model" className="hidden">
            Model
          </label>
          <select id="model" value={model?.name ?? ''} onChange={(event) => setChosen(event.target.value)}>
            {(models ?? []).map(({ name, state, task }) => (
              <option key={name} value={name} disabled={state === 'refused'}>
                {name}
                {task === null || task === name ? '' : ` (${task})`}
                {state === 'refused' || state === 'loading' ? `: ${state}` : ''}
              </option>
            ))}
          </select>
          <label className="button primary">
            Choose a picture
            <input type="file" className="hidden" accept="image/*" onChange={pick} />
          </label>
        </div>
      </div>
      {[listProblem, problem].map((text, index) =>
        text === undefined ? null : (
          <p key={index} role="alert" className="problem">
            {text}
          </p>
        ),
      )}
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

/** Keeps the list of models and their states current. */
function useModels(): {
  readonly models: readonly Model[] | undefined;
  readonly problem: string | undefined;
} {
  const [models, setModels] = useState<readonly Model[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const gone = new AbortController();
    const refresh = async (): Promise<void> => {
      try {
        setModels((await call('GET /v2/models', { signal: gone.signal })).models);
        setProblem(undefined);
      } catch (error) {
        if (!gone.signal.aborted) setProblem(messageOf(error));
      }
    };
    void refresh();
    const timer = setInterval(() => {
      if (!document.hidden) void refresh();
    }, REFRESH_MS);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, []);
  return { models, problem };
}

interface AnalysisState {
  readonly analysis: Analysis | undefined;
  readonly busy: boolean;
  readonly problem: string | undefined;
}

/** Analyses the picture, and again when another picture or model is chosen; the last answer counts. */
function useAnalysis(file: File | undefined, model: Model | undefined): AnalysisState {
  const [state, setState] = useState<AnalysisState>({ analysis: undefined, busy: false, problem: undefined });
  const newest = useRef(model);
  newest.current = model;
  const name = model?.name;
  useEffect(() => {
    const asked = newest.current;
    if (file === undefined || asked === undefined) return undefined;
    const gone = new AbortController();
    setState({ analysis: undefined, busy: true, problem: undefined });
    analyze(file, asked, gone.signal).then(
      (analysis) => {
        if (!gone.signal.aborted) setState({ analysis, busy: false, problem: undefined });
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setState({ analysis: undefined, busy: false, problem: messageOf(error) });
      },
    );
    return () => gone.abort();
  }, [file, name]);
  return state;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function Timings({ analysis: { timings, model, image } }: { readonly analysis: Analysis }): ReactElement {
  return (
    <section className="card results" aria-label="Timings">
      <h2>Timings</h2>
      <dl className="timings">
        {Object.entries(timings).map(([name, ms]) => (
          <div key={name}>
            <dt>{name.replace(/_ms$/, '')}</dt>
            <dd>{ms.toFixed(1)} ms</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">
        {model}, {image.width} × {image.height} pixels
      </p>
    </section>
  );
}

function ModelList({ models }: { readonly models: readonly Model[] }): ReactElement {
  return (
    <section className="card results" aria-label="Models">
      <h2>Models</h2>
      {models.length === 0 ? <p className="quiet">None yet: put ONNX files into the models folder.</p> : null}
      <ul>
        {models.map(({ name, state, reason, task, default: isDefault }) => (
          <li key={name}>
            <span className="name">{name}</span>
            <span className="quiet">{[task, isDefault ? 'default' : null].filter(Boolean).join(', ')}</span>
            <span className={state === 'ready' ? 'badge running' : 'badge'}>{STATE_LABELS[state]}</span>
            {reason === null ? null : <span className="reason">{reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const STATE_LABELS = {
  ready: 'ready',
  loading: 'loading',
  refused: 'refused',
  unloaded: 'not loaded',
} as const satisfies Record<Model['state'], string>;
