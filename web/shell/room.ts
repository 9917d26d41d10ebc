import type { QueryClient } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { Command } from '../parts/commands.ts';

/** One entry of the navigation. */
interface NavigationEntry {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** After `g`, goes there. */
  readonly key: string;
}

/** A part of the page with its own addresses. Its routes stand beside it, and its pages are loaded when somebody goes there. */
export interface Room {
  readonly name: string;
  /** Left out for a room that is reached from other rooms only. */
  readonly navigation?: NavigationEntry;
  /** The beginnings of addresses, beside the navigation's, that belong to this room. */
  readonly within?: readonly string[];
  /** What the command palette always offers. */
  readonly commands?: readonly Command[];
  /** What the command palette finds for a text, e.g. sessions by title. */
  readonly search?: (text: string, client: QueryClient, signal: AbortSignal) => Promise<readonly Command[]>;
}
