import {
  Box,
  CircleDot,
  Clock,
  Cpu,
  GitFork,
  type LucideIcon,
  MapPin,
  PencilLine,
  Play,
  Radio,
  Send,
  Waypoints,
  Zap,
} from 'lucide-react';
import type { ReactElement } from 'react';
import type { GroupKind } from './group-kinds.ts';

const ICONS: Readonly<Record<GroupKind, LucideIcon>> = {
  run: Play,
  task: Cpu,
  activity: Box,
  local: Zap,
  timer: Clock,
  child: GitFork,
  signal: Radio,
  update: PencilLine,
  external: Send,
  nexus: Waypoints,
  marker: MapPin,
  other: CircleDot,
};

export function GroupIcon({ kind }: { readonly kind: GroupKind }): ReactElement {
  const Icon = ICONS[kind];
  return <Icon size={15} aria-hidden />;
}
