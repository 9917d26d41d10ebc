import type { ReactElement } from 'react';
import { SelectField } from '../../parts/fields.tsx';
import type { FormContext } from '../../parts/schema-form/form-context.ts';
import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { WORDS } from '../tool-words.ts';
import type { MemberSettings } from './member-settings.ts';
import { WebFetchField } from './web-fetch-field.tsx';

interface Toolset {
  readonly default_config?: MemberSettings | null;
  readonly configs?: readonly MemberSettings[];
}

interface MembersFieldProps {
  readonly place: string;
  readonly schema: JsonSchema;
  readonly value: Toolset;
  readonly onChange: (value: Toolset) => void;
  readonly context: FormContext;
}

/** The members of the agent toolset: which are on, and which ask first. What is not said of one holds for all. */
export function MembersField({ place, schema, value, onChange, context }: MembersFieldProps): ReactElement {
  const item = schema.properties?.['configs']?.items;
  const names = (item?.properties?.['name']?.enum ?? []).map(String);
  const configs = value.configs ?? [];
  const set = (name: string, next: MemberSettings): void => {
    const isSet = configs.some((config) => config.name === name);
    const own = { ...next, name };
    onChange({
      ...value,
      configs: isSet ? configs.map((config) => (config.name === name ? own : config)) : [...configs, own],
    });
  };
  const faults = [...context.faults].filter(([at]) => at.startsWith(`${place}/configs`));
  return (
    <div className="members-field" role="group" aria-label="Members">
      <Member
        name="All members"
        settings={value.default_config ?? {}}
        others="On"
        onChange={(next) => onChange({ ...value, default_config: next })}
      />
      {names.map((name) => {
        const index = configs.findIndex((config) => config.name === name);
        return (
          <div key={name}>
            <Member
              name={name}
              settings={configs[index] ?? {}}
              others="As all members"
              onChange={(next) => set(name, next)}
            />
            {name === 'web_fetch' && item !== undefined ? (
              <WebFetchField
                place={`${place}/configs/${index === -1 ? configs.length : index}`}
                schema={item}
                value={configs[index] ?? {}}
                onChange={(next) => set(name, next)}
                context={context}
              />
            ) : null}
          </div>
        );
      })}
      {faults.map(([at, text]) => (
        <p key={at} className="field-problem">
          {names[Number(at.slice(place.length).split('/')[2])] ?? 'Members'}: {text}
        </p>
      ))}
    </div>
  );
}

interface MemberProps {
  readonly name: string;
  readonly settings: MemberSettings;
  /** What holds where nothing is said. */
  readonly others: string;
  readonly onChange: (settings: MemberSettings) => void;
}

function Member({ name, settings, others, onChange }: MemberProps): ReactElement {
  const { enabled, permission_policy, ...rest } = settings;
  const change = (next: MemberSettings): void => {
    const said = Object.entries({ enabled, permission_policy, ...next }).filter(([, value]) => value != null);
    onChange({ ...rest, ...Object.fromEntries(said) });
  };
  return (
    <div className="member">
      <code>{name}</code>
      <SelectField
        label={`${name}: on or off`}
        hideLabel
        value={enabled == null ? '' : String(enabled)}
        options={[
          { value: '', label: others },
          { value: 'true', label: 'On' },
          { value: 'false', label: 'Off' },
        ].slice(others === 'On' ? 1 : 0)}
        onChange={(next) => change({ enabled: next === '' ? null : next === 'true' })}
      />
      <SelectField
        label={`${name}: permission`}
        hideLabel
        value={permission_policy?.type ?? ''}
        options={[
          { value: '', label: others === 'On' ? 'Allowed unless said' : others },
          ...['always_allow', 'always_ask'].map((type) => ({ value: type, label: WORDS[type] ?? type })),
        ]}
        onChange={(type) => change({ permission_policy: type === '' ? null : { type } })}
      />
    </div>
  );
}
