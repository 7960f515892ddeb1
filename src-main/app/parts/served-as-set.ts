import type { Logger } from 'pino';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { Turns } from '../../base/turns.ts';
import type { Core } from './core.ts';

/** Something that is served while a setting says so. */
export interface ServedAsSet<Running> {
  /** What is open now. */
  readonly running: Running | undefined;
  /** Why it could not be opened; undefined where it is open, or not wanted. */
  readonly failed: QuarryError | undefined;
}

export interface ServedAsSetOptions<Running> {
  setting: 'market.enabled' | 'competition.enabled';
  /** Whether this node serves it at all, when it is enabled. */
  serves: boolean;
  open: () => Promise<Running>;
  /** In the log, where it cannot be opened. */
  failure: string;
}

/** Opens and closes it with its setting, one after the other, and closes it with the node. Where it cannot be opened, the node is there all the same. */
export async function servedAsSet<Running extends { stop: () => Promise<void> }>(
  { settings, changes, log, onClose }: Pick<Core, 'settings' | 'changes' | 'onClose'> & { log: Pick<Logger, 'error'> },
  { setting, serves, open, failure }: ServedAsSetOptions<Running>,
): Promise<ServedAsSet<Running>> {
  const turns = new Turns();
  let running: Running | undefined;
  let failed: QuarryError | undefined;
  const stop = async () => {
    const ending = running;
    [running, failed] = [undefined, undefined];
    await ending?.stop();
    changes.tell();
  };
  const asSet = (enabled: boolean) =>
    turns.take(async () => {
      await stop();
      if (!enabled) return;
      running = await open().catch((error: unknown) => {
        failed = QuarryError.from(error);
        log.error({ err: error }, failure);
        return undefined;
      });
      changes.tell();
    });
  if (serves) {
    const enabled = settings.follow(setting);
    enabled.whenSet((now) => void asSet(now));
    onClose(() => turns.take(stop));
    if (enabled.now) await asSet(true);
  }
  return {
    get running() {
      return running;
    },
    get failed() {
      return failed;
    },
  };
}
