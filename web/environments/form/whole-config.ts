type Fields = Readonly<Record<string, unknown>>;

/** Says of each part of a configuration what it is, because in an update what is left out stays. */
export function wholeConfig(config: unknown): unknown {
  if (!isFields(config) || config['type'] !== 'cloud') return config;
  const { networking, packages } = config;
  return {
    ...config,
    networking: isFields(networking) ? wholeNetworking(networking) : { type: 'unrestricted' },
    packages: packages ?? {},
  };
}

function wholeNetworking(networking: Fields): Fields {
  if (networking['type'] !== 'limited') return networking;
  const said = Object.entries(networking).filter(([, value]) => value != null);
  return {
    allowed_hosts: [],
    allow_package_managers: false,
    allow_mcp_servers: false,
    ...Object.fromEntries(said),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
