import { z } from 'zod';
import { about, atOnce, section } from '../base/setting.ts';

const focus = {
  folder: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .meta(
      about('Folder of recordings; on another drive, perhaps.', {
        isPath: 'always',
        shownDefault: '`focus` in the data folder',
      }),
    ),
  diskBudget: atOnce(
    z
      .int()
      .min(100_000_000)
      .max(100_000_000_000_000)
      .default(20_000_000_000)
      .meta(
        about(
          'Bytes that recordings may take together; at that, a recording ends. An hour takes about half a gigabyte.',
        ),
      ),
  ),
};

/** Recordings of the screen. */
export const focusSettings = section({ focus: z.strictObject(focus) });
