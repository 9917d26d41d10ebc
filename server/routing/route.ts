import type { Request, Response } from 'express';
import { z } from 'zod';
import { parse } from '@steadyhand/sessions';
import { queryOf } from '../http/query.ts';
import type { Components } from './components.ts';
import type { Content, Header, Method } from './document.ts';

/** Schemas by name: of a query, of headers, of the parts of a path. */
export type Shape = Readonly<Record<string, z.ZodType>>;
export type Values<S extends Shape> = { readonly [F in keyof S]: z.output<S[F]> };

/** A method and a path, e.g. `GET /v1/agents/{id}`. */
export type RouteKey = `${Uppercase<Method>} /${string}`;

/** The names of the parts in braces. */
export type PathNames<K extends string> = K extends `${string}{${infer N}}${infer Rest}`
  ? N | PathNames<Rest>
  : never;

/** A value whose members, at every depth, are read-only. */
export type DeepReadonly<T> = T extends string
  ? T
  : T extends object
    ? { readonly [F in keyof T]: DeepReadonly<T[F]> }
    : T;

/** What a request's body holds: `T` as its handler has it, `I` the JSON that clients send. */
export interface Body<T = unknown, I = unknown> {
  /** Whether an empty body is refused. */
  readonly required: boolean;
  /** What the handler's `body` is checked by. */
  readonly schema?: z.ZodType<T, I>;
  readonly content: (components: Components) => Content;
}

/** An answer that the handler writes itself; `T` is what it holds, for clients. */
export interface Written<T> {
  /** Default: that it is a success. */
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content: (components: Components) => Content;
  readonly holds?: T;
}

/** A schema: the handler returns the value, which is sent as JSON. */
export type Answer = z.ZodType | Written<unknown>;

/** What clients read. */
export type AnswerValue<A extends Answer> = A extends z.ZodType
  ? DeepReadonly<z.output<A>>
  : A extends Written<infer T>
    ? T
    : never;

type Handled<A extends Answer> = A extends z.ZodType
  ? DeepReadonly<z.output<A>> | Promise<DeepReadonly<z.output<A>>>
  : void | Promise<void>;

/** What a route declares besides its names and its handler. */
export interface Declaration<A extends Answer = Answer, T = unknown, I = unknown, Q extends Shape = Shape> {
  readonly description?: string;
  readonly headers?: Shape;
  readonly query?: Q;
  readonly body?: Body<T, I>;
  readonly answer: A;
  /** Statuses beside those that every route of its kind may answer, outside the agent API with their meaning here. */
  readonly errors?: readonly number[] | Readonly<Record<number, string | undefined>>;
  /** A 503 is no error here but the same answer with a no in it. */
  readonly unready?: boolean;
  /** Needs no key. */
  readonly open?: boolean;
}

/** A request as the handler of its route sees it. */
export class Call<N extends string, T> {
  readonly req: Request;
  readonly res: Response;
  readonly #schema: z.ZodType<T> | undefined;

  constructor(req: Request, res: Response, schema?: z.ZodType<T>) {
    this.req = req;
    this.res = res;
    this.#schema = schema;
  }

  /** The parts of the path. */
  get params(): Readonly<Record<N, string>> {
    return this.req.params as Record<N, string>;
  }

  /** The query as it was sent, repeated names and all. */
  get search(): URLSearchParams {
    return queryOf(this.req);
  }

  /** The JSON body (none counts as empty) as it was declared. Throws InvalidRequestError when it is read and is something else. */
  get body(): T {
    if (this.#schema === undefined) throw new Error('the body of this route is not declared as JSON');
    return parse(this.#schema, this.req.body);
  }

  /** The JSON body as it came, for packages that check it themselves. */
  get unchecked(): unknown {
    return this.req.body as unknown;
  }
}

/** A route that can be registered and described. `D` is what its handler takes from the server. */
export interface Route<D = never, K extends string = string, T extends Declaration = Declaration> {
  readonly key: K;
  readonly method: Method;
  readonly path: string;
  /** The operation's id; of the routes with FastAPI's shapes the name of its function. */
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  /** Of the path, in their order. */
  readonly params: Shape;
  readonly declaration: T;
  readonly run: (deps: D, req: Request, res: Response) => Promise<void>;
}

type Declare<D, P> = <K extends RouteKey, A extends Answer, T = never, I = never, Q extends Shape = Shape>(
  key: PathNames<K> extends keyof P ? K : never,
  id: string,
  summary: string,
  declared: Declaration<A, T, I, Q> & {
    readonly handle: (deps: D, call: Call<PathNames<K>, T>) => Handled<A>;
  },
) => Route<D, K, Declaration<A, T, I, Q>>;

/**
 * What routes are declared by that share a tag and what their handlers take from the server: `routesOf<Deps>()(tag, params)`,
 * so that the one type is said and the others are inferred. `params` describes all parts that stand in braces in their paths.
 */
export function routesOf<D>(): <P extends Readonly<Record<string, string | z.ZodType>>>(
  tag: string,
  params: P,
) => Declare<D, P> {
  return (tag, params) =>
    (key, id, summary, { handle, ...declaration }) => {
      const [method = '', path = ''] = key.split(' ');
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
        const part = params[name] ?? '';
        return [name, typeof part === 'string' ? z.string().describe(part) : part] as const;
      });
      return {
        key,
        method: method.toLowerCase() as Method,
        path,
        id,
        summary,
        tag,
        params: Object.fromEntries(parts),
        declaration,
        run: async (deps, req, res) => {
          const value: unknown = await Promise.resolve(
            handle(deps, new Call(req, res, declaration.body?.schema)),
          );
          if (value !== undefined) res.json(value);
        },
      };
    };
}
