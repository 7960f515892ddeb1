import { version } from '../../base/version.ts';
import { checkUpdates } from '../../hardware/doctor/updates.ts';
import { UpdateWatch } from '../../updates/update-watch.ts';
import type { Core } from './core.ts';
import type { Report } from './report.ts';

/** Whether there is a newer version. */
export type UpdatesPart = Pick<UpdateWatch, 'newer' | 'state'>;

/**
 * Asks for newer versions, where an address is set.
 * @param stays whether this node runs on: a single command asks nobody. The desktop app updates itself
 */
export async function openUpdates(
  { config, ports, log, onClose }: Core,
  { stays }: { stays: boolean },
): Promise<UpdatesPart | undefined> {
  const { url } = config.updates;
  if (!url || !stays || ports.desktop) return undefined;
  const watch = new UpdateWatch({ dataDir: config.dataDir, url, log });
  await watch.open();
  onClose(() => watch.close());
  return watch;
}

export function updatesReport(updates: UpdatesPart | undefined): Report {
  return {
    figures: [
      {
        name: 'quarry_update_available',
        help: '1 where there is a newer version; NaN where nobody was asked, or nobody has answered.',
        read: () => (updates?.newer === undefined ? Number.NaN : Number(updates.newer !== null)),
      },
    ],
    ...(updates && {
      health: () => ({ newerVersion: updates.newer ?? undefined }),
      checks: { updates: async () => checkUpdates({ version, newer: updates.newer, failure: updates.state.failure }) },
    }),
  };
}
