/** Values that an installation keeps, such as its id and keys that it made for itself. */
export interface Settings {
  /** The value of a name. Where there is none, `make` makes it; of several processes at once the first one succeeds. */
  getOrMake(name: string, make: () => string): Promise<string>;
  /** Replaces `before` by `after`; false where the value is another one by now. */
  replace(name: string, before: string, after: string): Promise<boolean>;
}
