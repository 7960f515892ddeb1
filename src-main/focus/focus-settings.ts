import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, section } from '../base/setting.ts';
import { EXCLUDED_WINDOWS } from './excluded-windows.ts';

const focus = {
  diskBudget: atOnce(
    z
      .int()
      .min(100_000_000)
      .max(100_000_000_000_000)
      .default(20_000_000_000)
      .meta(about('Bytes that recordings may take together; at that, a recording ends.')),
  ),
  idleMinutes: atOnce(
    z
      .int()
      .min(0)
      .max(60)
      .default(3)
      .meta(
        about(
          'Minutes in which nobody does anything, after which a recording pauses until somebody does; 0: it never does.',
        ),
      ),
  ),
  excluded: atOnce(
    z
      .array(z.string().trim().min(1).max(100))
      .max(200)
      .default(EXCLUDED_WINDOWS)
      .meta(
        about('Words in the titles of windows that are never recorded.', {
          wanted: say('focus.wanted.titles'),
          shownDefault: 'programs that keep passwords, and private windows of browsers',
        }),
      ),
  ),
};

/** Recordings of the screen. */
export const focusSettings = section({ focus: z.strictObject(focus) });
