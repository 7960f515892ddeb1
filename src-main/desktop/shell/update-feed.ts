import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import electronUpdater from 'electron-updater';
import { Updates } from './updates.ts';

/** Updates from the address that the build carries, if it carries one. */
export function openUpdates(): Updates {
  const off = whyOff();
  // The updater is made when it is first asked for, and that reads the feed: not where there is none.
  const updates = new Updates(off === undefined ? electronUpdater.autoUpdater : undefined, off);
  updates.open();
  return updates;
}

function whyOff(): string | undefined {
  if (!app.isPackaged) return 'This copy runs from its sources: update it the way you got it.';
  if (!existsSync(join(process.resourcesPath, 'app-update.yml')))
    return 'This build names no place to get updates from.';
  return undefined;
}
