import type { ReactElement } from 'react';
import { KeyValues } from '../parts/key-values.tsx';
import { When } from '../parts/when.tsx';
import { type Environment, packagesOf, WORDS } from './environment-words.ts';

/** What the sandboxes of an environment have, and what they may reach. */
export function EnvironmentAbout({ environment }: { readonly environment: Environment }): ReactElement {
  const { description, config, metadata, created_at, updated_at } = environment;
  const packages = packagesOf(environment);
  const pairs = Object.entries(metadata);
  return (
    <div className="about-agent">
      {description === null ? null : <p className="description">{description}</p>}
      <KeyValues
        label="Facts"
        entries={[
          ['Runs', WORDS[config.type]],
          ['Made', <When key="made" at={created_at} />],
          ['Changed', <When key="changed" at={updated_at} />],
        ]}
      />
      {config.type === 'self_hosted' ? (
        <p className="notice">
          This server has no work queue for workers of your own yet, so no session can be started in it.
        </p>
      ) : (
        <>
          <section aria-label="Network">
            <h2>Network</h2>
            <p>{WORDS[config.networking.type]}.</p>
            {config.networking.type === 'limited' ? <Limits networking={config.networking} /> : null}
          </section>
          <section aria-label="Packages">
            <h2>Packages</h2>
            {packages.length === 0 ? (
              <p className="quiet">None are installed beside the usual ones.</p>
            ) : null}
            <KeyValues
              label="Packages"
              entries={packages.map(([manager, names]) => [manager, <Names key={manager} names={names} />])}
            />
          </section>
        </>
      )}
      {pairs.length === 0 ? null : (
        <section aria-label="Metadata">
          <h2>Metadata</h2>
          <KeyValues label="Metadata" entries={pairs} />
        </section>
      )}
    </div>
  );
}

type Networking = Extract<Environment['config'], { type: 'cloud' }>['networking'];

function Limits({
  networking,
}: {
  readonly networking: Extract<Networking, { type: 'limited' }>;
}): ReactElement {
  const { allowed_hosts, allow_package_managers, allow_mcp_servers } = networking;
  return (
    <KeyValues
      label="What may be reached"
      entries={[
        ['Hosts', allowed_hosts.length === 0 ? 'None' : <Names names={allowed_hosts} />],
        ['Package registries', allow_package_managers ? 'Yes' : 'No'],
        ['MCP servers', allow_mcp_servers ? 'Yes' : 'No'],
      ]}
    />
  );
}

function Names({ names }: { readonly names: readonly string[] }): ReactElement {
  return (
    <ul className="plain">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  );
}
