import type { Anthropic } from '@anthropic-ai/sdk';
import { ModelNotFoundError } from '../../api/errors.ts';

/** A request in the API's own shape, as the official client sends it. */
export interface UpstreamRequest {
  readonly model: string;
  readonly betas: readonly string[];
  /** All other fields. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request for the official client: a path below the base URL, headers and a body. */
export interface Post {
  readonly path: string;
  readonly headers: Record<string, string | null>;
  readonly body: object;
}

/** The form in which a platform expects requests. */
export interface Platform {
  /** The address of the platform; undefined where the client knows it. */
  readonly baseURL: string | undefined;
  message(request: UpstreamRequest, stream: boolean): Post;
  /** Absent where the platform counts no tokens. */
  readonly countTokens?: (request: UpstreamRequest) => Post;
}

export interface PlatformOptions {
  /**
   * `api` (default): the Messages API itself, or whoever speaks it. `bedrock`: Amazon Bedrock's `InvokeModel`, with a
   * Bedrock API key as `apiKey`. `vertex`: Google's `rawPredict`, with an OAuth access token as `apiKey`.
   */
  readonly style?: 'api' | 'bedrock' | 'vertex';
  /** The region of Bedrock (default `us-east-1`) or Vertex (default `global`). */
  readonly region?: string;
  /** Google's project, which Vertex needs. */
  readonly project?: string;
}

/** The versions of the API that these platforms take in a request's body in place of the header. */
const BEDROCK_VERSION = 'bedrock-2023-05-31';
const VERTEX_VERSION = 'vertex-2023-10-16';

const betaHeader = (betas: readonly string[]): Record<string, string> =>
  betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') };

const api: Platform = {
  baseURL: undefined,
  message: ({ model, betas, body }, stream) => ({
    path: '/v1/messages',
    headers: betaHeader(betas),
    body: { model, ...body, stream },
  }),
  countTokens: ({ model, betas, body }) => ({
    path: '/v1/messages/count_tokens',
    headers: betaHeader(betas),
    body: { model, ...body },
  }),
};

function bedrock(region = 'us-east-1'): Platform {
  return {
    baseURL: `https://bedrock-runtime.${region}.amazonaws.com`,
    message: ({ model, betas, body }, stream) => ({
      path: `/model/${segment(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
      headers: { 'anthropic-version': null },
      body: {
        anthropic_version: BEDROCK_VERSION,
        ...(betas.length === 0 ? {} : { anthropic_beta: betas }),
        ...body,
      },
    }),
  };
}

function vertex(project: string, region = 'global'): Platform {
  const models = `/projects/${segment(project)}/locations/${segment(region)}/publishers/anthropic/models`;
  const headers = (betas: readonly string[]): Post['headers'] => ({
    'anthropic-version': null,
    ...betaHeader(betas),
  });
  return {
    baseURL: vertexAddress(region),
    message: ({ model, betas, body }, stream) => ({
      path: `${models}/${segment(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
      headers: headers(betas),
      body: { anthropic_version: VERTEX_VERSION, ...body, stream },
    }),
    countTokens: ({ model, betas, body }) => ({
      path: `${models}/count-tokens:rawPredict`,
      headers: headers(betas),
      body: { anthropic_version: VERTEX_VERSION, model, ...body },
    }),
  };
}

/** Google has one address for the world, one for each of two multi-regions, and one for each region. */
function vertexAddress(region: string): string {
  if (region === 'global') return 'https://aiplatform.googleapis.com/v1';
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com/v1`;
  return `https://${region}-aiplatform.googleapis.com/v1`;
}

/** @throws {Error} when Vertex has no project. */
export function platformOf({ style = 'api', region, project }: PlatformOptions): Platform {
  if (style === 'api') return api;
  if (style === 'bedrock') return bedrock(region);
  if (project === undefined) throw new Error('project: the style `vertex` needs the Google Cloud project');
  return vertex(project, region);
}

/** Encodes a name as one segment of a path, so that a model's name cannot lead to another path. */
function segment(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new ModelNotFoundError(name);
  return name.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,=:@]+/g, encodeURIComponent);
}

/** Sends a platform's request through the official client and returns the raw response. */
export async function post(
  client: Anthropic,
  { path, headers, body }: Post,
  options: { readonly signal: AbortSignal; readonly timeout: number; readonly stream: boolean },
): Promise<Response> {
  const { stream, ...rest } = options;
  // Compression of a stream may delay its events.
  const plain = stream ? { 'accept-encoding': 'identity' } : {};
  return await client.post(path, { body, headers: { ...headers, ...plain }, ...rest }).asResponse();
}
