/** One of the descriptions that the documentation pages show. */
export interface DocumentedApi {
  /** The name in the page's address, such as `?api=agents`. The first description is shown without it. */
  readonly name: string;
  readonly label: string;
  /** The description's own title. */
  readonly title: string;
  readonly url: string;
}

interface Page {
  /** `/docs` or `/redoc`. */
  readonly path: string;
  /** What the title ends in, e.g. `Swagger UI`. */
  readonly viewer: string;
  readonly shown: DocumentedApi;
  readonly apis: readonly DocumentedApi[];
  /** The other documentation page. */
  readonly other: { readonly path: string; readonly label: string };
  readonly head: string;
  readonly body: string;
}

/** The path of the page that an authorization server sends the browser back to, as in FastAPI. */
export const OAUTH2_REDIRECT_PATH = '/docs/oauth2-redirect';

/** The page of Swagger UI, with this server's own files. Its parameters are data, because no script may stand in the page. */
export function swaggerPage(shown: DocumentedApi, apis: readonly DocumentedApi[]): string {
  const parameters = {
    url: shown.url,
    dom_id: '#swagger-ui',
    layout: 'BaseLayout',
    deepLinking: true,
    showExtensions: true,
    showCommonExtensions: true,
    defaultModelsExpandDepth: -1,
    // By default it would send the description's address to a service elsewhere and ask whether it is valid.
    validatorUrl: null,
    oauth2RedirectPath: OAUTH2_REDIRECT_PATH,
  };
  return page({
    path: '/docs',
    viewer: 'Swagger UI',
    shown,
    apis,
    other: { path: '/redoc', label: 'ReDoc' },
    head: '<link rel="stylesheet" href="/static/swagger-ui.css" />',
    body: `<div id="swagger-ui"></div>
    <script src="/static/swagger-ui-bundle.js"></script>
    <script type="application/json" id="parameters">${jsonInHtml(parameters)}</script>
    <script type="module" src="/static/app/docs/swagger.js"></script>`,
  });
}

/** The page of ReDoc, with this server's own files. */
export function redocPage(shown: DocumentedApi, apis: readonly DocumentedApi[]): string {
  return page({
    path: '/redoc',
    viewer: 'ReDoc',
    shown,
    apis,
    other: { path: '/docs', label: 'Swagger UI' },
    head: '',
    body: `<redoc spec-url="${escapeHtml(shown.url)}"></redoc>
    <noscript>ReDoc requires JavaScript to work. Please enable it to browse the documentation.</noscript>
    <script src="/static/redoc.standalone.js"></script>`,
  });
}

/** A page that hands what an authorization server answered to the page that asked for it, and closes. */
export function oauth2RedirectPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Swagger UI: OAuth2 Redirect</title>
  </head>
  <body>
    <script src="/static/oauth2-redirect.js"></script>
  </body>
</html>
`;
}

function page({ path, viewer, shown, apis, other, head, body }: Page): string {
  const address = (to: string, api: DocumentedApi): string =>
    api === apis[0] ? to : `${to}?api=${api.name}`;
  const links = apis.map((api) => {
    const current = api === shown ? ' aria-current="page"' : '';
    return `<a href="${address(path, api)}"${current}>${escapeHtml(api.label)}</a>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(shown.title)} - ${viewer}</title>
    <link rel="icon" href="/favicon.ico" />
    ${head}
    <link rel="stylesheet" href="/static/app/docs/docs.css" />
  </head>
  <body>
    <nav class="docs-top" aria-label="Documentation">
      <a class="home" href="/">Steadyhand</a>
      <span class="choice">${links.join('\n      ')}</span>
      <span class="beside"><a href="${address(other.path, shown)}">${other.label}</a>
      <a href="${escapeHtml(shown.url)}">${escapeHtml(shown.url)}</a></span>
    </nav>
    ${body}
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A script element ends at the first `</`, whatever stands around it. */
function jsonInHtml(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
