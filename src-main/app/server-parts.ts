import { type Config, type ConfigSources, isGiven } from '../settings/config.ts';
import { type WantedParts, wantedParts } from './domains.ts';

/**
 * What a node on a server has. Nobody sits there to press Start: it mines at once only where somebody has set that it does, or has
 * been through the welcome.
 */
export function serverParts(config: Config, sources: ConfigSources): WantedParts {
  return wantedParts({ ...config, mineOnStart: minesOnServer(config, sources) });
}

/** Whether a node on a server begins to mine when it is started. */
export function minesOnServer({ role, mineOnStart, showWelcome }: Config, sources: ConfigSources): boolean {
  return role === 'miner' && mineOnStart && (!showWelcome || isGiven('mineOnStart', sources));
}
