import { z } from 'zod';
import { accepting, anyOf, readImageInfo } from '@steadyhand/messages';
import type { SearchResultBlock, TextBlock } from '../events/types.ts';
import type {
  Base64Source,
  EventBodies,
  FileSource,
  DocumentBlock,
  ImageBlock,
  NewEvent,
  ResultBlock,
} from '../events/types.ts';
import { abbreviated, oneOf, refusedKind } from '../api/schema.ts';
import { grantInput } from '../policy/grant.ts';

/** The types of events that clients may send. */
export const USER_EVENT_TYPES = [
  'user.message',
  'user.interrupt',
  'user.tool_confirmation',
  'user.custom_tool_result',
  'user.grant_withdrawn',
  'system.message',
] as const;
export type UserEventType = (typeof USER_EVENT_TYPES)[number];
export type UserEvent = NewEvent<UserEventType>;

/** The forms in which clients send bytes. */
type Given = Base64Source | FileSource;
/** An event as a client sends it; pictures and documents may be ids of files. */
export type GivenEvent = {
  [K in UserEventType]: { readonly type: K; readonly body: EventBodies<Given>[K] };
}[UserEventType];

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_IMAGE_SIDE = 8000;
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

const base64 = z.string().min(1).refine(isBase64, { message: 'Input should be valid base64' });
const file = z.strictObject({ type: z.literal('file'), file_id: z.string().min(1) });
const url = z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) });

const text: z.ZodType<TextBlock> = z.strictObject({
  type: z.literal('text'),
  text: z
    .string()
    .min(1)
    .refine((value) => value.trim() !== '', { message: 'Text should hold more than white space' }),
});

/** A picture that the model's API refuses is refused here: it would make all later requests of the session fail. */
const imageBytes: z.ZodType<Base64Source> = z
  .strictObject({ type: z.literal('base64'), media_type: z.enum(IMAGE_TYPES), data: base64 })
  .superRefine(({ media_type, data }, context) => {
    const refuse = (message: string): void =>
      context.addIssue({ code: 'custom', path: ['data'], message, input: data });
    const bytes = Buffer.byteLength(data, 'base64');
    const info = readImageInfo(data);
    if (bytes > MAX_IMAGE_BYTES) {
      refuse(`image exceeds 5 MB maximum: ${bytes} bytes > ${MAX_IMAGE_BYTES} bytes`);
    } else if (info === null) {
      refuse('Could not process image');
    } else if (info.mediaType !== media_type) {
      refuse(
        `The image was specified using the ${media_type} media type, but it appears to be ${info.mediaType}`,
      );
    } else if (Math.max(info.width, info.height) > MAX_IMAGE_SIDE) {
      refuse(`At least one of the image dimensions exceed max allowed size: ${MAX_IMAGE_SIDE} pixels`);
    }
  });

const image: z.ZodType<ImageBlock<Given>> = z.strictObject({
  type: z.literal('image'),
  source: oneOf<ImageBlock<Given>['source']>({ base64: imageBytes, url, file }),
});

const document: z.ZodType<DocumentBlock<Given>> = z.strictObject({
  type: z.literal('document'),
  source: oneOf<DocumentBlock<Given>['source']>({
    base64: z.strictObject({
      type: z.literal('base64'),
      media_type: z.literal('application/pdf'),
      data: base64,
    }),
    text: z.strictObject({
      type: z.literal('text'),
      media_type: z.literal('text/plain'),
      data: z.string().min(1),
    }),
    url,
    file,
  }),
  title: z.exactOptional(z.string().nullable()),
  context: z.exactOptional(z.string().nullable()),
});

const searchResult: z.ZodType<SearchResultBlock> = z.strictObject({
  type: z.literal('search_result'),
  source: z.string().min(1),
  title: z.string().min(1),
  content: z.array(text).min(1),
  citations: z.strictObject({ enabled: z.boolean() }),
});

const block = oneOf<ResultBlock<Given>>({ text, image, document, search_result: searchResult });
const messageBlocks = z.array(block).min(1);
const resultBlocks = z.array(block);

const textOrBlocks = abbreviated(messageBlocks, (value) => [{ type: 'text', text: value }]);
/** A list of blocks, or a text, which is short for one text block. */
const messageContent = accepting(textOrBlocks, anyOf([z.string().min(1), messageBlocks]));

const message = z
  .strictObject({ type: z.literal('user.message'), content: messageContent })
  .transform(({ type, ...body }): GivenEvent => ({ type, body }));

const interrupt = z
  .strictObject({ type: z.literal('user.interrupt'), session_thread_id: z.null().optional() })
  .transform(({ type }): GivenEvent => ({ type, body: {} }));

const confirmation = z
  .strictObject({
    type: z.literal('user.tool_confirmation'),
    tool_use_id: z.string().min(1),
    result: z.enum(['allow', 'deny']),
    deny_message: z.exactOptional(z.string().max(10_000).nullable()),
    grant: z
      .exactOptional(grantInput)
      .describe('What is allowed for the rest of the session without asking; it has to cover the tool use'),
  })
  .refine(({ result, deny_message }) => result === 'deny' || deny_message == null, {
    path: ['deny_message'],
    message: "Only allowed when result is 'deny'",
  })
  .refine(({ result, grant }) => result === 'allow' || grant === undefined, {
    path: ['grant'],
    message: "Only allowed when result is 'allow'",
  })
  .transform(({ type, ...body }): GivenEvent => ({ type, body }));

const customResult = z
  .strictObject({
    type: z.literal('user.custom_tool_result'),
    custom_tool_use_id: z.string().min(1),
    content: z.exactOptional(resultBlocks),
    is_error: z.exactOptional(z.boolean().nullable()),
  })
  .transform(({ type, ...body }): GivenEvent => ({ type, body }));

const grantWithdrawn = z
  .strictObject({
    type: z.literal('user.grant_withdrawn'),
    grant_id: z.string().min(1).describe('The id of the `user.tool_confirmation` that gave it'),
  })
  .transform(({ type, ...body }): GivenEvent => ({ type, body }));

/** Instructions of the operator between the user's messages; they start no turn. */
const systemMessage = z
  .strictObject({ type: z.literal('system.message'), content: z.array(oneOf({ text })).min(1) })
  .transform(({ type, ...body }): GivenEvent => ({ type, body }));

const userEvent = oneOf<GivenEvent>({
  'user.message': message,
  'user.interrupt': interrupt,
  'user.tool_confirmation': confirmation,
  'user.custom_tool_result': customResult,
  'user.grant_withdrawn': grantWithdrawn,
  'system.message': systemMessage,
  'user.tool_result': refusedKind(
    'Tools of self-hosted environments are not run by clients yet: there is no work queue for their workers',
  ),
});

/** The body of `POST /v1/sessions/{id}/events`. */
export const sendBody = z.strictObject({ events: z.array(userEvent).min(1).max(100) });

/** The events that a session may be created with, which are messages only. */
export const initialEvents = z.array(oneOf<GivenEvent>({ 'user.message': message })).max(50);

/**
 * Whether a text is standard base64 with padding, as the Messages API takes it. It searches for a wrong character: an
 * expression that matches the whole text would exhaust the stack on megabytes.
 */
function isBase64(value: string): boolean {
  return value.length > 0 && value.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(value.replace(/={1,2}$/, ''));
}
