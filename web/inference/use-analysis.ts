import { useQuery } from '@tanstack/react-query';
import { type Analysis, analyze, type Model } from '../client/api.ts';
import type { ChosenPicture } from './use-pictures.ts';

interface AnalysisState {
  readonly analysis: Analysis | undefined;
  readonly busy: boolean;
  readonly problem: string | undefined;
}

/** Analyses the picture; an answer is kept, so that going back to a picture shows it at once. */
export function useAnalysis(picture: ChosenPicture | undefined, model: Model | undefined): AnalysisState {
  const { data, isFetching, error } = useQuery({
    queryKey: ['POST /analyze', model?.name ?? null, picture?.id ?? null, picture?.url ?? null],
    queryFn: async ({ signal }) => {
      if (picture === undefined || model === undefined) throw new Error('There is no picture yet.');
      return await analyze(picture.file, model, signal);
    },
    enabled: picture !== undefined && model !== undefined,
    // The same picture has the same answer, and a model is asked when somebody wants it.
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return { analysis: data, busy: isFetching, problem: isFetching ? undefined : error?.message };
}
