import { z } from 'zod';
import { keptJson } from '../../base/kept-json.ts';
import type { Span } from '../media/media.ts';

const spansSchema = z.array(z.object({ from: z.number(), to: z.number() })).max(1_000);

/** The stretches of a video as they were kept; undefined where it was not looked at, or they cannot be read any more. */
export const keptSpans = (text: string | null): Span[] | undefined =>
  text === null ? undefined : keptJson(text, spansSchema);
