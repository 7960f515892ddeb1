import { z } from 'zod';
import { about, atOnce, section } from '../base/setting.ts';
import { scorer } from './scorer-settings.ts';

const focus = {
  diskBudget: atOnce(
    z
      .int()
      .min(100_000_000)
      .max(100_000_000_000_000)
      .default(20_000_000_000)
      .meta(about('Bytes that recordings may take together; at that, a recording ends.')),
  ),
  scorer,
};

/** Recordings of the screen. */
export const focusSettings = section({ focus: z.strictObject(focus) });
