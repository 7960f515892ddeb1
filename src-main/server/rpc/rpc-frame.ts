import { z } from 'zod';
import { jsonExcess } from '../../base/json-shape.ts';

const id = z.string().min(1).max(64);

/** A call, as oRPC writes it: `u` is the procedure's path, `b` the input. */
const callSchema = z.strictObject({
  i: id,
  t: z.literal(1).optional(),
  p: z.strictObject({
    u: z.string().max(500).startsWith('/'),
    m: z.string().max(10).optional(),
    h: z.strictObject({ 'last-event-id': z.string().max(200).optional() }).optional(),
    b: z.unknown(),
  }),
});

/** The end of a call that nobody waits for any more. */
const abortSchema = z.object({ i: id, t: z.literal(4) });

const frameSchema = z.union([callSchema, abortSchema]);

/** Whether the text is what a page may send. Files and streams of inputs, which oRPC knows too, have no use in the contract. */
export function isRpcFrame(text: string): boolean {
  if (jsonExcess(Buffer.from(text))) return false;
  try {
    return frameSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false; // it is no JSON
  }
}
