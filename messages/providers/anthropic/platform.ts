import type { Anthropic } from '@anthropic-ai/sdk';
import { ModelNotFoundError } from '../../api/errors.ts';

/** A request in the API's own shape, as the official client sends it. */
export interface UpstreamRequest {
  readonly model: string;
  readonly betas: readonly string[];
  /** Everything else. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the official client is to post: a path below the base URL, headers and a body. */
export interface Post {
  readonly path: string;
  readonly headers: Record<string, string | null>;
  readonly body: object;
}

/** How one platform wants the same request. */
export interface Platform {
  /** Where it is reached when the configuration names no address. */
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
  /** Of Bedrock (default `us-east-1`) or Vertex (default `global`). */
  readonly region?: string;
  /** Google's project; needed by Vertex. */
  readonly project?: string;
}

/** The versions of the API that these platforms take in a request's body in place of the header. */
const BEDROCK_VERSION = 'bedrock-2023-05-31';
const VERTEX_VERSION = 'vertex-2023-10-16';

const betaHeader = (betas: readonly string[]): Record<string, string> =>
  betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') };

const api: Platform = {
  // The client knows it.
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

/** Google's addresses: one for the world, one for each of its two multi-regions, one a region. */
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

/** A name as one segment of a path: a client's model name must not lead anywhere else. */
function segment(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new ModelNotFoundError(name);
  return name.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,=:@]+/g, encodeURIComponent);
}

/** Sends what a platform wants through the official client and answers with the raw response. */
export async function post(
  client: Anthropic,
  { path, headers, body }: Post,
  options: { readonly signal: AbortSignal; readonly timeout: number; readonly stream: boolean },
): Promise<Response> {
  const { stream, ...rest } = options;
  // What compresses a stream may hold its events back.
  const plain = stream ? { 'accept-encoding': 'identity' } : {};
  return await client.post(path, { body, headers: { ...headers, ...plain }, ...rest }).asResponse();
}
