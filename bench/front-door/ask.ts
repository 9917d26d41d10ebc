import { Agent, request } from 'node:http';

/** Milliseconds since the request began. */
export interface Times {
  readonly first: number;
  readonly whole: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** A request with so many screenshots in its conversation, each about as large as a real one. */
export function bodyOf(screenshots: number, deltas: number, pauseMs: number, shot: string): Buffer {
  const turns = Array.from({ length: screenshots }, (_, turn) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${turn}`, name: 'computer', input: { action: 'screenshot' } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `toolu_${turn}`,
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: shot } }],
        },
      ],
    },
  ]);
  return Buffer.from(
    JSON.stringify({
      model: 'claude-bench',
      max_tokens: 1024,
      stream: true,
      messages: [{ role: 'user', content: 'Look at the screen.' }, ...turns.flat()],
      tools: [
        { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
      ],
      metadata: { user_id: `${deltas}x${pauseMs}` },
    }),
  );
}

/** Asks for a stream and reads it to its end. Rejects unless it is whole. */
export async function ask(url: string, body: Buffer): Promise<Times> {
  const begun = performance.now();
  return await new Promise((resolve, reject) => {
    const asked = request(`${url}/v1/messages`, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'computer-use-2025-01-24',
        'x-api-key': 'sk-bench',
      },
    });
    asked.once('error', reject);
    asked.once('response', (response) => {
      let first = 0;
      let tail = '';
      response.on('data', (chunk: Buffer) => {
        first ||= performance.now() - begun;
        tail = (tail + chunk.toString('latin1')).slice(-200);
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200 && tail.includes('"message_stop"')) {
          resolve({ first, whole: performance.now() - begun });
        } else reject(new Error(`status ${response.statusCode}: ${tail}`));
      });
    });
    asked.end(body);
  });
}
