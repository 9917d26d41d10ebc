import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactElement, ReactNode } from 'react';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** Made only while its tab is chosen. */
  readonly content: () => ReactNode;
}

interface TabsProps<T extends string> {
  /** What the tabs choose between, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  /** The chosen one. Hold it in the address, so that a link shows the same. */
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** Views of which one is shown. The arrow keys go from tab to tab. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>): ReactElement {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)}>
      <Base.List className="tabs" aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="tab-panel">
          {tab.value === value ? tab.content() : null}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
