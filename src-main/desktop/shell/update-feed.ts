import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import electronUpdater from 'electron-updater';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';
import { Updates } from './updates.ts';

/** Updates from the address that the build carries, if it carries one. */
export function openUpdates(): Updates {
  const off = whyOff();
  // The updater is made when it is first asked for, and that reads the feed: not where there is none.
  const updates = new Updates(off === undefined ? electronUpdater.autoUpdater : undefined, off);
  updates.open();
  return updates;
}

function whyOff(): Saying | undefined {
  if (!app.isPackaged) return say('desktop.fromSources');
  if (!existsSync(join(process.resourcesPath, 'app-update.yml'))) return say('desktop.noFeed');
  return undefined;
}
