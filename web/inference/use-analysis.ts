import { useEffect, useRef, useState } from 'react';
import { type Analysis, analyze, type Model } from '../client/api.ts';
import { messageOf } from '../client/request.ts';

interface AnalysisState {
  readonly analysis: Analysis | undefined;
  readonly busy: boolean;
  readonly problem: string | undefined;
}

/** Analyses the picture, and again when another picture or model is chosen; the last answer counts. */
export function useAnalysis(file: File | undefined, model: Model | undefined): AnalysisState {
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
