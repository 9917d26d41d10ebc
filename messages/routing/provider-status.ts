import type { FiguresNow, ModelUse } from '../figures/figures.ts';
import type { ModelPrice } from './price.ts';

/** What this process has seen of a provider since it started. Times are milliseconds since the epoch. */
export interface ProviderStatus extends Omit<FiguresNow, 'contact' | 'models'> {
  /** As the configuration calls it. */
  readonly name: string;
  /** The `type` in the providers file; null where nobody said. */
  readonly kind: string | null;
  /** Where it is, without credentials; null for one in this process and for an official address. */
  readonly address: string | null;
  /** `missing`: it needs one, and none is configured. */
  readonly key: 'set' | 'none' | 'missing';
  /**
   * By the newest exchange: `ok`, `limited` (it asks for less or later), `failing` (not reached, or its key is refused).
   * `unknown`: it was not asked yet. `off`: there is a route to it, but it cannot be asked.
   */
  readonly state: 'ok' | 'limited' | 'failing' | 'unknown' | 'off';
  readonly reason: string | null;
  /** Until when it asks to be left alone. */
  readonly waiting_until: number | null;
  readonly last_contact_at: number | null;
  /** Whether it has a list of models by which it can be checked. */
  readonly checkable: boolean;
  readonly models: readonly RoutedModel[];
  /** By the names that clients used. */
  readonly used: readonly (ModelUse & { readonly model: string })[];
}

/** A route of the routing table. */
export interface RoutedModel {
  /** The place in the table; the first route that fits a name decides. */
  readonly position: number;
  /** A name, or with `pattern` the beginning of names with a star behind it. */
  readonly model: string;
  readonly pattern: boolean;
  readonly aliases: readonly string[];
  readonly display_name: string | null;
  readonly price: ModelPrice | null;
}
