import { domainToASCII } from 'node:url';
import type { ToolDefinition } from '@steadyhand/contracts';
import { pictureHeader } from '../../picture-header.ts';
import type { ToolOutput } from '../tool.ts';
import type { ToolsetInput } from './fields.ts';
import { limitedOutput } from './long-output.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';

const MOST_ADDRESS = 2048;
const MOST_PICTURE_BYTES = 3_750_000;
/** This ratio applies to `max_content_tokens`. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * `web_fetch` returns what an address answers to a GET request from inside the sandbox, and so under its networking: a
 * page as Markdown, other texts as they are, a picture as a picture.
 */
export function webFetchTool(guest: Pick<ToolsetGuest, 'fetchPage' | 'files'>): ToolsetTool {
  return async (input, { signal, definition }) => {
    const url = addressOf(input);
    checkHost(url, definition, input);
    const page = await guest.fetchPage(url.href, signal);
    switch (page.kind) {
      case 'failed':
        throw input.fault(`${url.href}: ${page.reason}`);
      case 'redirect':
        return {
          output: `${page.url} leads to another address (HTTP ${page.status}), which was not fetched: ${page.location}\nFetch that one if it is wanted.`,
        };
      case 'bytes':
        if (page.status >= 400) throw input.fault(`${page.url}: HTTP ${page.status}`);
        return binary(Buffer.from(page.data, 'base64'), page, input);
      case 'text': {
        const title = page.title === '' ? [] : [`# ${page.title}\n\n`];
        const text = await bounded(guest.files, title.join('') + page.text, definition);
        if (page.status < 400) return { output: text === '' ? '(the page has no text)' : text };
        return { output: text, error: `web_fetch: ${page.url}: HTTP ${page.status}` };
      }
    }
  };
}

function addressOf(input: ToolsetInput): URL {
  const given = input.required('url').trim();
  if (given.length > MOST_ADDRESS) throw input.fault(`url has at most ${MOST_ADDRESS} characters`);
  if (!URL.canParse(given)) throw input.fault(`${JSON.stringify(given)} is no absolute URL`);
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw input.fault(`only http and https are fetched, not ${url.protocol.slice(0, -1)}`);
  if (url.username !== '' || url.password !== '')
    throw input.fault('a URL with a user name or a password is not fetched');
  url.hash = '';
  return url;
}

/** @throws ToolError for a host that the agent's configuration of the tool excludes */
function checkHost({ hostname }: URL, definition: ToolDefinition, input: ToolsetInput): void {
  const { allowed_domains: allowed = [], blocked_domains: blocked = [] } = definition;
  const host = hostname.replace(/\.$/, '');
  const isOf = (domain: string): boolean => {
    const name = domainToASCII(domain.toLowerCase().replace(/\.$/, ''));
    return host === name || host.endsWith(`.${name}`);
  };
  if (allowed.length > 0 && !allowed.some(isOf))
    throw input.fault(`${host} is not among the domains that may be fetched: ${allowed.join(', ')}`);
  if (blocked.some(isOf)) throw input.fault(`${host} is among the domains that are not fetched`);
}

async function bounded(
  files: ToolsetGuest['files'],
  text: string,
  { max_content_tokens: tokens }: ToolDefinition,
): Promise<string> {
  const most = tokens == null ? Infinity : tokens * CHARACTERS_PER_TOKEN;
  if (text.length <= most) return limitedOutput(files, text);
  const kept = await limitedOutput(files, text.slice(0, most));
  return `${kept}\n[cut at ${tokens} tokens; the text has ${text.length} characters]`;
}

function binary(
  bytes: Buffer,
  { url, type }: { readonly url: string; readonly type: string },
  input: ToolsetInput,
): ToolOutput {
  const picture = pictureHeader(bytes);
  if (picture !== null && picture.size !== null && bytes.length <= MOST_PICTURE_BYTES)
    return { image: bytes, imageType: picture.type };
  throw input.fault(
    `${url} is no text but ${type === '' ? 'of no known type' : type}, ${bytes.length} bytes; download it with bash: curl -sSLO URL`,
  );
}
