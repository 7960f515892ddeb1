import { z } from 'zod';
import { about, atOnce, readAnew, section } from '../base/setting.ts';

const LANGUAGES = ['system', 'en', 'de'] as const;

const desktop = {
  closeToTray: atOnce(
    z.boolean().default(true).meta(about('Whether the desktop app goes on in the tray when its window is closed.')),
  ),
  startMinimised: readAnew(
    z.boolean().default(false).meta(about('Whether the desktop app starts in the tray, without a window.')),
  ),
  notifications: atOnce(
    z
      .boolean()
      .default(true)
      .meta(about('Whether the desktop app tells of achievements, finished downloads and trouble.')),
  ),
};

/** What the desktop app does around the screens. It stands above this room, as they do. */
export const desktopSettings = section({ desktop: z.strictObject(desktop) });

/** How the screens begin. */
export const screenSettings = section({
  language: atOnce(z.enum(LANGUAGES).default('system').meta(about('Language of the screens.'))),
  showWelcome: readAnew(
    z.boolean().default(true).meta(about('Whether the screens begin with the welcome for newcomers.')),
  ),
});
