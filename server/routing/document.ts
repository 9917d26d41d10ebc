/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 has them. */
export type Schema = Readonly<Record<string, unknown>>;

export type Reference = { readonly $ref: string };

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly style?: 'form';
  readonly explode?: boolean;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  /** `[]`: open to everybody; absent: as the document says. */
  readonly security?: readonly Security[];
}

export type Method = 'get' | 'post' | 'put' | 'delete';

export type Paths = Readonly<Record<string, Readonly<Partial<Record<Method, Operation>>>>>;

/** One way of being let in, by the name of its scheme; an empty one is nobody at all. */
export type Security = Readonly<Record<string, readonly string[]>>;

/** An OpenAPI description, as far as this server's go. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
  readonly security: readonly Security[];
}

/** The two ways in which a client may send the key. */
export const SECURITY_SCHEMES = {
  APIKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  HTTPBearer: { type: 'http', scheme: 'bearer' },
} as const;

/** @param keyed whether a request without the key is refused */
export function security(keyed: boolean): readonly Security[] {
  return [{ APIKeyHeader: [] }, { HTTPBearer: [] }, ...(keyed ? [] : [{}])];
}

export function componentRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}
