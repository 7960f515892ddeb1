import { z } from 'zod';
import type { Place } from './place.ts';

export const placeSchema = z.object({ ip: z.string(), port: z.number() }) satisfies z.ZodType<Place>;
