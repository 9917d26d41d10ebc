import type { ApiBody } from '../../client/api.ts';

export type CreateBody = NonNullable<ApiBody<'POST /v1/sandboxes'>>;

/** The fields of the form as they were typed. Empty means: as the server has it. */
export interface CreateFields {
  readonly width: string;
  readonly height: string;
  readonly network: 'default' | 'none' | 'limited' | 'unrestricted';
  /** One a line. */
  readonly hosts: string;
  readonly packages: boolean;
  readonly snapshot: string;
  readonly memory: string;
  readonly cpus: string;
  readonly disk: string;
  /** JSON. */
  readonly policy: string;
}

export const NEW_SANDBOX: CreateFields = {
  width: '1024',
  height: '768',
  network: 'default',
  hosts: '',
  packages: false,
  snapshot: '',
  memory: '',
  cpus: '',
  disk: '',
  policy: '',
};

export type CreateFaults = Partial<Readonly<Record<keyof CreateFields, string>>>;

/** What is sent, and what is wrong by field; the body counts where nothing is wrong. The server checks everything again. */
export function createBody(fields: CreateFields): {
  readonly body: CreateBody;
  readonly faults: CreateFaults;
} {
  const faults: Partial<Record<keyof CreateFields, string>> = {};
  const number = (field: keyof CreateFields, whole: boolean): number | undefined => {
    const text = String(fields[field]).trim();
    if (text === '') return undefined;
    const value = Number(text);
    if (value > 0 && (!whole || Number.isInteger(value))) return value;
    faults[field] = whole ? 'Expected a whole number above 0.' : 'Expected a number above 0.';
    return undefined;
  };
  const [width = 0, height = 0] = [number('width', true), number('height', true)];
  for (const field of ['width', 'height'] as const)
    if (fields[field].trim() === '') faults[field] = 'Expected a number of pixels.';
  const limits = {
    memory_mib: number('memory', true),
    cpus: number('cpus', false),
    disk_mib: number('disk', true),
  };
  const limited = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  let policy: unknown;
  try {
    policy = fields.policy.trim() === '' ? undefined : JSON.parse(fields.policy);
  } catch (error) {
    faults.policy = `This is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const body = {
    display: { width, height },
    ...(fields.snapshot === '' ? {} : { snapshot_id: fields.snapshot }),
    ...networkOf(fields),
    ...(Object.keys(limited).length === 0 ? {} : { limits: limited }),
    ...(policy === undefined ? {} : { policy: policy as NonNullable<CreateBody['policy']> }),
  };
  return { body, faults };
}

function networkOf({ network, hosts, packages }: CreateFields): Pick<CreateBody, 'networking'> {
  if (network === 'default') return {};
  if (network !== 'limited') return { networking: { type: network } };
  return {
    networking: {
      type: 'limited',
      allowed_hosts: hosts.split(/[\s,]+/).filter((host) => host !== ''),
      allow_package_managers: packages,
    },
  };
}
