import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Chart } from '../chart/chart.ts';
import { layouter } from './elk.ts';
import { type PlacedChart, placeChart } from './place.ts';
import type { Measure } from './sizes.ts';

/** A layout stays as it is for one machine with the same states folded, so it is made once while the page is open. */
export function usePlaced(
  chart: Chart,
  hash: string,
  folded: ReadonlySet<string>,
): { readonly placed: PlacedChart | undefined; readonly error: Error | null } {
  const { data, error } = useQuery({
    queryKey: ['statechart layout', hash, [...folded].toSorted()],
    queryFn: () => placeChart(layouter(), chart, folded, measure),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return { placed: data, error };
}

/** What was taken in a step is bold, and needs more room. */
const FONTS = { name: '600 13px', line: '600 11.5px' } as const;
let context: CanvasRenderingContext2D | null | undefined;

const measure: Measure = (text, as) => {
  context ??= document.createElement('canvas').getContext('2d');
  if (context === null) return text.length * 7;
  context.font = `${FONTS[as]} ${getComputedStyle(document.documentElement).fontFamily}`;
  return context.measureText(text).width;
};
