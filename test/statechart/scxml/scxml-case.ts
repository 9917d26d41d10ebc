/** An element of an SCXML document. */
export interface ScxmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly elements?: readonly ScxmlElement[];
  readonly text?: string;
}

/** A document, and the configurations that it goes through. */
export interface ScxmlCase {
  readonly name: string;
  readonly initialConfiguration: readonly string[];
  readonly events: readonly {
    /** Milliseconds that pass before the event. */
    readonly after?: number;
    readonly event: { readonly name: string };
    readonly nextConfiguration: readonly string[];
  }[];
  readonly scxml: ScxmlElement;
}
