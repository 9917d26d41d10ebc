/** What an address gave. */
export type FetchedPage =
  | {
      readonly kind: 'text';
      readonly url: string;
      readonly status: number;
      /** Media type without parameters. */
      readonly type: string;
      readonly title: string;
      /** Of HTML the readable text as Markdown, of anything else as it came. */
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
  /** It leads to another host, which was not asked. */
  | { readonly kind: 'redirect'; readonly url: string; readonly status: number; readonly location: string }
  /** Nothing came, or too much. */
  | { readonly kind: 'failed'; readonly reason: string };
