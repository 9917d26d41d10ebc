/** What is set of one member of a toolset. */
export interface MemberSettings {
  readonly name?: string;
  readonly enabled?: boolean | null;
  readonly permission_policy?: { readonly type: string } | null;
}
