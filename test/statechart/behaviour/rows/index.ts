import type { Row } from '../row.ts';
import { assigning, sending } from './actions.ts';
import { children } from './children.ts';
import { data } from './data.ts';
import { errors } from './errors.ts';
import { examples } from './examples.ts';
import { hierarchy, history, parallel } from './hierarchy.ts';
import { promises } from './invoke.ts';
import { logics } from './logics.ts';
import { spawning, systems } from './spawning.ts';
import { after, always, guards, transitions } from './transitions.ts';

/** The whole table. */
export const rows: readonly Row[] = [
  ...hierarchy,
  ...parallel,
  ...history,
  ...guards,
  ...always,
  ...after,
  ...transitions,
  ...assigning,
  ...sending,
  ...promises,
  ...children,
  ...logics,
  ...spawning,
  ...systems,
  ...errors,
  ...data,
  ...examples,
];
