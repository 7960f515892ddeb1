import type { z } from 'zod';
import { jsonExcess } from '../../base/json-shape.ts';
import type { HttpClient } from '../downloads/http-client.ts';
import type { HttpAnswer } from '../downloads/http-exchange.ts';
import { HubNonsense, HubTooMuch } from './hub-errors.ts';

export interface JsonBounds {
  /** Of an answer. */
  mostBytes: number;
  /** Milliseconds in which it has to be complete. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Asks a server for JSON. Whatever it says is hostile: bounded in time and size.
 * @throws HubNonsense, what the client throws, the signal's reason
 */
export async function askForJson(
  client: Pick<HttpClient, 'get'>,
  url: URL,
  { mostBytes, deadlineMs, signal }: JsonBounds,
): Promise<{ json: unknown; answer: HttpAnswer }> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const answer = await client.get(url, { accept: 'application/json' }, ending);
  return { json: parse(await wholeBody(answer, mostBytes)), answer };
}

/** What a schema makes of an answer. @throws HubNonsense */
export function checked<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(json);
  if (error) throw new HubNonsense('another shape', { cause: error });
  return data as z.output<Schema>;
}

async function wholeBody(answer: HttpAnswer, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    if (answer.status !== 200) throw new HubNonsense(`status ${answer.status}`);
    for await (const chunk of answer.body()) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new HubTooMuch(`more than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    answer.drop();
  }
}

function parse(body: Buffer): unknown {
  const excess = jsonExcess(body);
  if (excess) throw new HubTooMuch(`too much of it: ${excess}`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new HubNonsense('no JSON', { cause: error });
  }
}
