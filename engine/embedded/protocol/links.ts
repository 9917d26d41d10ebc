import type { temporal } from '@temporalio/proto';
import { Link } from './proto.ts';
import { invalidArgument } from './rpc-error.ts';
import { toNumber } from './values.ts';

type ILink = temporal.api.common.v1.ILink;

const MOST = 10;
const LARGEST_BYTES = 4000;

/** The fields that each kind of link must have, in the order in which they are looked at, with their names in errors. */
const KINDS = {
  workflowEvent: {
    name: 'workflow event',
    fields: [
      ['namespace', 'namespace field'],
      ['workflowId', 'workflow ID field'],
      ['runId', 'run ID field'],
    ],
  },
  batchJob: { name: 'batch job', fields: [['jobId', 'job ID']] },
  nexusOperation: {
    name: 'nexus operation',
    fields: [
      ['namespace', 'namespace field'],
      ['operationId', 'operation ID field'],
      ['runId', 'run ID field'],
    ],
  },
  activity: {
    name: 'activity',
    fields: [
      ['namespace', 'namespace field'],
      ['activityId', 'activity ID field'],
      ['runId', 'run ID field'],
    ],
  },
} as const;

/** Checks the links of a request, by which events name what caused them. */
export function checkLinks(links: readonly ILink[] | null | undefined): void {
  if (!links) return;
  if (links.length > MOST) {
    throw invalidArgument(`cannot attach more than ${MOST} links per request, got ${links.length}`);
  }
  for (const link of links) checkLink(link);
}

function checkLink(link: ILink): void {
  const size = Link.encode(link).finish().length;
  if (size > LARGEST_BYTES) {
    throw invalidArgument(`link exceeds allowed size of ${LARGEST_BYTES}, got ${size}`);
  }
  const kind = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((each) => link[each] != null);
  if (kind === undefined) throw invalidArgument('unsupported link variant');
  const { name, fields } = KINDS[kind];
  const given = link[kind] as Readonly<Record<string, unknown>>;
  for (const [field, called] of fields) {
    if (!given[field]) throw invalidArgument(`${name} link must not have an empty ${called}`);
  }
  const event = link.workflowEvent?.eventRef;
  if (event && !event.eventType && toNumber(event.eventId) !== 0) {
    throw invalidArgument(
      'workflow event link ref cannot have an unspecified event type and a non-zero event ID',
    );
  }
}
