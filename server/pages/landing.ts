import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Request } from 'express';
import { Liquid, type Template } from 'liquidjs';

/** What a template is told of the request that it answers. Nothing in it is a secret. */
export interface TemplateRequest {
  readonly method: string;
  /** In full, as the client wrote it. */
  readonly url: string;
  /** Scheme and host with a slash at the end. */
  readonly base_url: string;
  readonly path: string;
  readonly query_params: Readonly<Record<string, string>>;
  /** By lower-case name, without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly client: { readonly host: string | null };
}

export interface LandingContext {
  readonly request: TemplateRequest;
  readonly title: string;
  /** Whether the documentation pages are there to be linked to. */
  readonly docs: boolean;
}

const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/** The request as templates see it. */
export function templateRequest(req: Request): TemplateRequest {
  const base = `${req.protocol}://${req.headers.host ?? 'localhost'}`;
  const headers = Object.entries(req.headers).flatMap(([name, value]) =>
    value === undefined || CREDENTIALS.has(name) ? [] : [[name, String(value)]],
  );
  return {
    method: req.method,
    url: `${base}${req.originalUrl}`,
    base_url: `${base}/`,
    path: req.path,
    query_params: Object.fromEntries(new URLSearchParams(req.originalUrl.split('?')[1] ?? '')),
    headers: Object.fromEntries(headers) as Record<string, string>,
    client: { host: req.socket.remoteAddress ?? null },
  };
}

/**
 * Renders `index.html` of a folder as a Liquid template. What it puts out is escaped for HTML. The file is read again when
 * it changed, so that an edited page needs no restart.
 */
export function landingPage(folder: string): (context: LandingContext) => Promise<string> {
  const file = path.join(folder, 'index.html');
  const engine = new Liquid({ root: folder, outputEscape: 'escape', ownPropertyOnly: true, cache: false });
  let held: { readonly mtimeMs: number; readonly size: number; readonly template: Template[] } | undefined;

  return async (context) => {
    const { mtimeMs, size } = await stat(file);
    if (held === undefined || held.mtimeMs !== mtimeMs || held.size !== size) {
      held = { mtimeMs, size, template: engine.parse(await readFile(file, 'utf8'), file) };
    }
    return (await engine.render(held.template, context)) as string;
  };
}
