import { z } from 'zod';
import { jsonExcess } from '../../base/json-shape.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Caller } from './gate.ts';
import { RequestProblem } from './request-problem.ts';
import { NO_BODY } from './signed-text.ts';

/** @throws RequestProblem UNAUTHORIZED for another body than the one that was signed */
export function refuseOtherBody({ bodySha256 }: Pick<Caller, 'bodySha256'>, body: unknown): void {
  const found = Buffer.isBuffer(body) ? sha256(body).toString('hex') : NO_BODY;
  if (found !== bodySha256) throw new RequestProblem('UNAUTHORIZED', 'The body is not the one that was signed.');
}

/** A JSON body, measured before it is parsed. @throws RequestProblem BAD_REQUEST with the field at fault */
export function readJson<T>(schema: z.ZodType<T>, body: unknown): T {
  if (!Buffer.isBuffer(body)) throw new RequestProblem('BAD_REQUEST', 'A JSON body is missing.');
  if (jsonExcess(body)) throw new RequestProblem('BAD_REQUEST', 'The body has more in it than any request needs.');
  return shaped(schema, parsed(body.toString('utf8')));
}

/** @throws RequestProblem BAD_REQUEST with the field at fault */
export function shaped<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new RequestProblem('BAD_REQUEST', z.prettifyError(read.error).slice(0, 300), { field });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RequestProblem('BAD_REQUEST', 'The body is no JSON.', { cause });
  }
}
