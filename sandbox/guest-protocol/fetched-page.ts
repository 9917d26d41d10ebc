/** The result of fetching an address. */
export type FetchedPage =
  | {
      readonly kind: 'text';
      readonly url: string;
      readonly status: number;
      /** The media type without parameters. */
      readonly type: string;
      readonly title: string;
      /** For HTML the readable text as Markdown, for anything else the text as it came. */
      readonly text: string;
    }
  | {
      readonly kind: 'bytes';
      readonly url: string;
      readonly status: number;
      readonly type: string;
      /** Base64. */
      readonly data: string;
    }
  /** The address redirects to another host, which was not asked. */
  | { readonly kind: 'redirect'; readonly url: string; readonly status: number; readonly location: string }
  /** Nothing came, or too much. */
  | { readonly kind: 'failed'; readonly reason: string };
