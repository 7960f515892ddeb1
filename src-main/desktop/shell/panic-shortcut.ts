import { globalShortcut } from 'electron';
import type { ShortcutPort } from '../../app/host/host-ports.ts';

/** The same as in the page: see src-renderer/pages/focus/recording/panic-key.ts. */
const KEYS = 'CommandOrControl+Shift+Backspace';

/** The key that has the last minute of a recording forgotten, in whatever program it is pressed. Where another program has it, it is that one’s. */
export const panicShortcut: ShortcutPort = {
  hold(pressed) {
    if (!globalShortcut.register(KEYS, pressed)) return () => undefined;
    return () => globalShortcut.unregister(KEYS);
  },
};
