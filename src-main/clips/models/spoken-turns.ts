import { z } from 'zod';
import { keptJson } from '../../base/kept-json.ts';
import type { SpokenTurn } from './clip-models.ts';

/** Of a clip: nobody speaks so often in two minutes. What is beyond is noise of whoever listens. */
const MOST_TURNS = 1_000;
const MOST_NAME_CHARS = 64;

const turnsSchema = z
  .array(z.object({ from: z.number(), to: z.number(), speaker: z.string().max(MOST_NAME_CHARS) }))
  .max(MOST_TURNS);

/** As they are kept. */
export const keptTurns = (turns: readonly SpokenTurn[]) => JSON.stringify(turns.slice(0, MOST_TURNS));

/** Who speaks in a clip when, seconds from its beginning; null where nobody listened. */
export function turnsOf({ turns }: { turns: string | null }): SpokenTurn[] | null {
  return turns === null ? null : (keptJson(turns, turnsSchema) ?? null);
}
