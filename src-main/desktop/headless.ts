import { app } from 'electron';
import type { ErrorView } from '../../src-preload/contract/error-schema.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { HostPorts } from '../app/host/host-ports.ts';
import type { NodeHost } from '../app/node-host.ts';
import { withoutControls } from '../base/foreign-text.ts';
import { utilitySpawner } from './child/utility-spawner.ts';
import { systemVault } from './guards/secret-vault.ts';

/** What Electron can do for a node without a window. */
export const HEADLESS_PORTS: HostPorts = { spawner: utilitySpawner, secrets: systemVault };

/**
 * The packaged app on a server: no window and no tray, the screens over HTTP.
 * @returns whether the node is open; if not, why has been said
 */
export async function openHeadless(host: NodeHost): Promise<boolean> {
  host.on('open', (app) => {
    say(`Quarry is open: ${app.config.apiToken ? app.server?.url : app.door.entry().url}`);
    if (app.mining?.switch.state === 'stopped')
      say('It does not mine. To mine: Start on the screens, or set QUARRY_MINE_ON_START=true.');
    if (app.settings.rejected) say(sentence(app.settings.rejected));
  });
  host.on('failed', (error) => say(sentence(error)));
  try {
    await host.open();
    return true;
  } catch (error) {
    say(sentence(QuarryError.from(error)));
    return false;
  }
}

/** Ends over an error that nobody foresaw, in a sentence: see {@link QuarryError.from}. */
export function endHeadless(error: unknown): void {
  process.stderr.write(`${sentence(QuarryError.from(error))}\n`);
  app.exit(1);
}

function sentence({ message, hint }: ErrorView): string {
  return withoutControls([message, hint].filter(Boolean).join(' '));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
