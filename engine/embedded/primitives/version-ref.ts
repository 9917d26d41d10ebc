/** A version of a worker deployment. Undefined in its place means workers without a version. */
export interface VersionRef {
  readonly deployment: string;
  readonly buildId: string;
}
