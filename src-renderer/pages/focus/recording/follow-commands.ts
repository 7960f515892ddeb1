import type { RecordingCommand } from '../../../../src-preload/contract/focus.ts';
import { client } from '../../../api/client.ts';
import { ignoring } from '../../../api/ignoring.ts';

const RETRY_MS = 1_000;

/** Heeds what is wanted of this recording from outside the page: from the tray, by a key. Until the signal ends it, also where the node is away in between. */
export async function followCommands(heed: (command: RecordingCommand) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await follow(heed, signal).catch(ignoring('the node is away: it is asked again'));
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function follow(heed: (command: RecordingCommand) => void, signal: AbortSignal): Promise<void> {
  for await (const command of await client.focus.commands(undefined, { signal })) {
    if (!signal.aborted) heed(command);
  }
}
