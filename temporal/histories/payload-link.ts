/** Where a payload is found whole: in an event, or in the description. */
export function payloadLink(
  { workflowId, runId }: { readonly workflowId: string; readonly runId: string },
  path: string,
  eventId?: number,
): string {
  const query = new URLSearchParams({
    run_id: runId,
    ...(eventId === undefined ? {} : { event_id: String(eventId) }),
    path,
  });
  return `/v1/workflows/${encodeURIComponent(workflowId)}/payload?${query.toString()}`;
}
