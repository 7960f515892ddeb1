import { client } from '../../api/client.ts';
import { isDesktop } from '../../api/port.ts';
import type { Access } from './programs.ts';

export const TEST_QUESTION = 'Say hello in one short sentence.';
const MOST_TOKENS = 48;

/** What came back of a request to the API. */
export interface ApiAnswer {
  text: string;
  ms: number;
  /** Whether it went the way of programs, over HTTP; the desktop window has no network and asks main itself. */
  overHttp: boolean;
}

/** The API refused or failed, in its own words. */
export class ApiRefusal extends Error {}

/**
 * Asks as a program would.
 * @throws ApiRefusal with what the API said
 */
export async function askApi({ baseUrl, model }: Access, token: string, signal: AbortSignal): Promise<ApiAnswer> {
  const startedAt = performance.now();
  const text = isDesktop() ? await askMain(model, signal) : await askServer(baseUrl, model, token, signal);
  return { text, ms: performance.now() - startedAt, overHttp: !isDesktop() };
}

async function askServer(baseUrl: string, model: string, token: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ model, max_tokens: MOST_TOKENS, messages: [{ role: 'user', content: TEST_QUESTION }] }),
  });
  const body = (await response.json()) as {
    choices?: { message?: { content?: string } }[];
    error?: { message?: string };
  };
  if (!response.ok) throw new ApiRefusal(body.error?.message ?? response.statusText);
  return body.choices?.[0]?.message?.content ?? '';
}

async function askMain(model: string, signal: AbortSignal): Promise<string> {
  const target = model === 'mesh' ? 'mesh' : 'local';
  const named = model === 'mesh' || model === 'local' ? {} : { model };
  const messages = [{ role: 'user' as const, content: TEST_QUESTION }];
  const events = await client.inference.ask({ target, messages, maxTokens: MOST_TOKENS, ...named }, { signal });
  for await (const event of events) if (event.type === 'done') return event.result.text;
  return '';
}
