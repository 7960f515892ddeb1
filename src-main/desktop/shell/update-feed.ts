import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import electronUpdater from 'electron-updater';
import { FEED_KEY } from './feed-signature.ts';
import { signedFeed } from './signed-feed.ts';
import { Updates, whyOff } from './updates.ts';

/** Updates from the address that the build carries, if it carries one. */
export function openUpdates(): Updates {
  const { isPackaged } = app;
  const hasFeed = isPackaged && existsSync(feedFile());
  const off = whyOff({ isPackaged, hasFeed, platform: process.platform, key: FEED_KEY });
  // The updater is made when it is first asked for, and that reads the feed: not where there is none.
  const updates = new Updates(off === undefined ? updater() : undefined, off);
  updates.open();
  return updates;
}

function updater() {
  const { autoUpdater } = electronUpdater;
  if (process.platform === 'linux' && FEED_KEY !== undefined) {
    autoUpdater.setFeedURL({ provider: 'custom', updateProvider: signedFeed(FEED_KEY), url: feedAddress() });
  }
  return autoUpdater;
}

/** electron-builder writes it, from `QUARRY_UPDATE_URL`. */
function feedAddress(): string {
  return /^url: *['"]?(https:[^'"\s]+)/m.exec(readFileSync(feedFile(), 'utf8'))?.[1] ?? '';
}

function feedFile(): string {
  return join(process.resourcesPath, 'app-update.yml');
}
