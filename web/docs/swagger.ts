/** The global that `swagger-ui-bundle.js` defines. */
declare const SwaggerUIBundle: ((parameters: object) => object) & {
  readonly presets: { readonly apis: unknown };
};

/** Starts Swagger UI with the parameters that the page holds, in the light or dark colours that the system asks for. */
function start(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const paint = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', paint);
  paint();

  const text = document.querySelector('#parameters')?.textContent ?? '{}';
  const { oauth2RedirectPath, ...parameters } = JSON.parse(text) as Record<string, unknown>;
  SwaggerUIBundle({
    ...parameters,
    oauth2RedirectUrl: `${window.location.origin}${String(oauth2RedirectPath)}`,
    presets: [SwaggerUIBundle.presets.apis],
  });
}

start();
