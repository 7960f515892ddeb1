import { z } from 'zod';
import { hexPattern } from '../../src-preload/contract/limits.ts';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, readAnew, safeWebAddress, section } from '../base/setting.ts';
import { EXCLUDED_WINDOWS } from './excluded-windows.ts';
import { scorer } from './scorer-settings.ts';

const focus = {
  diskBudget: atOnce(
    z
      .int()
      .min(100_000_000)
      .max(100_000_000_000_000)
      .default(20_000_000_000)
      .meta(
        about(
          'Bytes that recordings, and what was made of them, may take together; what was made gives way first, then a recording ends.',
        ),
      ),
  ),
  boostedTasks: atOnce(
    safeWebAddress.optional().meta(
      about('Where a signed list of boosted tasks is fetched. Whoever is asked learns that this node asks.', {
        wanted: say('focusTasks.wantedAddress'),
        shownDefault: 'nobody is asked',
      }),
    ),
  ),
  boostedTasksKey: atOnce(
    z
      .string()
      .regex(hexPattern(32))
      .optional()
      .meta(
        about('Ed25519 key by which that list must be signed; without one, no list is taken.', {
          wanted: say('focusTasks.wantedKey'),
          shownDefault: 'none',
        }),
      ),
  ),
  showGuide: readAnew(
    z
      .boolean()
      .default(true)
      .meta(
        about(
          'Whether the page «Focus» says what is recorded and where it stays; it does until somebody has understood it.',
        ),
      ),
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
  scorer,
};

/** Recordings of the screen. */
export const focusSettings = section({ focus: z.strictObject(focus) });
