/** One way in which the Messages API words what is wrong with a request. */
export interface TextFamily {
  /** As it stands in the documentation. */
  readonly text: string;
  /** What the texts of this family, and of no other, look like. */
  readonly pattern: RegExp;
  readonly when: string;
}

/** How the errors of requests to the Messages API are worded: for `docs/errors.md`, and held against the answers in tests. */
export const TEXT_FAMILIES: readonly TextFamily[] = [
  {
    text: '`<path>: Field required`',
    pattern: /^[\w.]+: Field required$/,
    when: 'A field is missing.',
  },
  {
    text: '`<path>: Extra inputs are not permitted`',
    pattern: /^[\w.…]+: Extra inputs are not permitted$/,
    when: 'A field that the object does not have; never passed over.',
  },
  {
    text: '`<path>: Input should be …`',
    pattern: /^(?:[\w.]+: )?Input should be /,
    when: 'Another type, another word than those listed, or a number out of bounds.',
  },
  {
    text: '`<path>: String should …`, `<path>: List should …`',
    pattern: /^[\w.]+: (?:String|List) should /,
    when: 'A text or a list that is too long, too short or of another pattern.',
  },
  {
    text: "`<path>: Input tag '…' found using 'type' does not match any of the expected tags: …`",
    pattern: /^[\w.]+: Input tag '.*' found using 'type' does not match any of the expected tags: /,
    when: 'An unknown kind of block, tool, source or choice. For a tool whose beta is missing, the beta follows.',
  },
  {
    text: '`<path>: JSON schema is invalid. …`',
    pattern: /: JSON schema is invalid\. /,
    when: "A custom tool's schema is none.",
  },
  {
    text: '`messages: …`, `messages.N: all messages must …`, `system: …`',
    pattern:
      /^(?:messages|system|messages\.\d+): (?:at least|first message|text content|all messages|final assistant|role )/,
    when: 'What a conversation must begin with, hold and end with.',
  },
  {
    text: '`messages.N.content.M: … blocks can only be in … messages`',
    pattern: /blocks can only be in `(?:user|assistant)` messages$/,
    when: "A block in the other side's message.",
  },
  {
    text: '`messages.N: tool_use ids were found without tool_result blocks immediately after: …` and the like',
    pattern: /`tool_use`|each tool_use must have|all content must be type "text"/,
    when: 'Uses of tools and results that do not pair, ids that are there twice, an error with a picture.',
  },
  {
    text: '`<path>.image.source.base64…: …`, `<path>.pdf.source.base64.data: …`, `too many images and documents: …`',
    pattern: /\.(?:image|pdf)\.source\.base64(?:\.data)?: (?!Input|Field)|^too many images/,
    when: 'Pictures and PDFs: broken, of another type, too large, too many. Some name the pictures in `details`.',
  },
  {
    text: '`A maximum of 4 blocks with cache_control …`, `….cache_control.ttl: …`, `…: cache_control cannot be set …`',
    pattern: /cache_control (?:may|has|cannot|block)/,
    when: 'Cache breakpoints: too many, in the wrong order, on nothing.',
  },
  {
    text: '`tools: …`, `tool_choice…: …`',
    pattern: /^tools: |^tool_choice(?:\.\w+)*(?: may|: Tool|: ')/,
    when: 'Tools of one name, a choice without tools or of a tool that is not there.',
  },
  {
    text: '`stop_sequences: …`, `… when thinking is enabled`, `… cannot be combined with …`',
    pattern:
      /^stop_sequences: each|thinking(?:\.budget_tokens`\.| is enabled\.$)|^Thinking may not|cannot be combined with/,
    when: 'Fields that do not go together.',
  },
  {
    text: '`thread: …`',
    pattern: /^thread: this server/,
    when: 'This server holds no threads; the official tool runner then sends the whole conversation.',
  },
  {
    text: "`<path>: the provider '…' of this model …`",
    pattern: /: the provider '.*' of this model (?:does not)/,
    when: 'A field, tool or block that only the official API itself can carry out, for a model of another provider.',
  },
  {
    text: '`The request body is not valid JSON: …: line … column … (char …)`',
    pattern: /^The request body is not valid JSON: /,
    when: 'What is wrong with the JSON and where, in code points (in the body of a batch: …, at byte …). Half surrogate pairs and infinite numbers count as wrong.',
  },
  {
    text: '`anthropic-version: …`, `Unexpected value(s) … for the anthropic-beta header. …`',
    pattern: /^anthropic-version: |^Unexpected value\(s\) /,
    when: 'The version is missing or unknown; what stands in `anthropic-beta` cannot be the name of a beta.',
  },
  {
    text: '`content-type: …`, `content-encoding: …`',
    pattern: /^content-(?:type|encoding): /,
    when: 'Not JSON, another character set than UTF-8, ISO-8859-1 and US-ASCII, another encoding than gzip and deflate.',
  },
  {
    text: '`model: …`, `No such route: …`',
    pattern: /^model: (?!Field|Input|String)|^No such route: /,
    when: 'With 404: nobody serves the model, or there is no such path.',
  },
  {
    text: '`Request exceeds the maximum size`',
    pattern: /^Request exceeds the maximum/,
    when: 'With 413: 32 MB, 256 MB for a batch, 500 MB for a file; told as soon as it is known.',
  },
];

/** The texts that have to do with uploaded files, and when they come. */
export const FILE_TEXTS: readonly (readonly string[])[] = [
  ['`<path>.file_id: …`', 'A file of another type than its block takes, or a text that is not UTF-8.'],
  ['`File … not found.`, `File … has expired.`', 'With 404: in requests as on the routes of files.'],
  [
    '`file: …`, `The form cannot be read: …`',
    'An upload: a name that is too long or has a forbidden character, no file or two of them, a form that breaks off.',
  ],
  [
    '`File exceeds the maximum size …`, `The files of the request exceed …`',
    'With 413: 500 MB, and 32 MB in one request.',
  ],
];

/** What an error may carry in `error.details.error_code`, by which the official SDKs choose the class that they throw. */
export const ERROR_CODES: readonly (readonly string[])[] = [
  ['`file_expired`', '404', "The file's `expires_at` has passed."],
  ['`image_dimensions_too_large`', '400', '`paths` of the pictures and `max_side_length_pixels`.'],
  ['`request_body_timeout`', '400', 'The body did not arrive in time.'],
  ['`sandbox_damaged`', '500', 'A file of the sandbox itself is damaged; it can only be deleted.'],
  [
    '`sandbox_lost`',
    '410',
    'The machine of the sandbox is gone, and its files with it; it can only be deleted.',
  ],
  [
    '`storage_full`',
    '507',
    'The disk of `DATA_DIR` is full. Nothing new is taken until there is room; interrupts and deletions are.',
  ],
  ['`storage_quota_exceeded`', '400', 'The disk has no room for the file.'],
  ['`thread_unsupported_request`', '400', 'The request has a `thread`.'],
  ['`unsupported_charset`', '400', 'The content type names another character set.'],
];

/** Where this server knowingly says or does something else than the official API. */
export const DIFFERENCES: readonly string[] = [
  'An unknown beta is taken: newer clients send betas that this server does not know, and what they would change is refused where it stands.',
  'A tool whose beta is missing is told which one it needs, behind the list of tags.',
  '`betas` in the body, `system_prompt`, the string modes of `tool_choice` and the sampling fields of older models are taken beside the fields of today; `context_care` is an extension.',
  'A custom tool needs a `description` under `computer-use-2024-10-22`, as the specification of that release says, and none otherwise.',
  'What depends on a model is left to its provider: the largest `max_tokens`, whether it takes a beginning of its reply, thinking or two sampling fields at once.',
  'Signatures of thinking blocks are checked by whoever made them, and a loop of tools may go on without them: models of other providers think without such blocks.',
  '`Could not process image` has the path of the picture before it. Pictures are judged by their headers, the pages of a PDF by what shows of them without unpacking it.',
  'A data URL in the place of base64 is told to be one.',
  'A byte order mark before the JSON is passed over.',
  'Threads (`thread`) are refused, with the code by which the official tool runner goes on without them.',
];
