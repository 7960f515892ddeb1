import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import type { Ask } from './leases.ts';

/** Which hotkey stands for a miner that results name otherwise. */
export interface MinerHotkey {
  /** As results name it: `endpoint/NAME`, or the id of a worker of the mesh. */
  miner: string;
  hotkey: string;
}

/** The hotkeys that stand for miners at addresses and on the mesh, as whoever runs the validator says; for all who share the database. */
export class MinerHotkeys {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** By miner. */
  async list(): Promise<MinerHotkey[]> {
    return this.#ask((db) => db.selectFrom('miner_hotkeys').select(['miner', 'hotkey']).orderBy('miner').execute());
  }

  /** Says which, in the place of what was said before. @throws BAD_REQUEST with the field `hotkey` where it stands for another miner */
  async put({ miner, hotkey }: MinerHotkey): Promise<void> {
    await this.refuseTaken({ miner, hotkey });
    try {
      await this.#ask((db) =>
        db
          .insertInto('miner_hotkeys')
          .values({ miner, hotkey })
          .onConflict((conflict) => conflict.column('miner').doUpdateSet({ hotkey }))
          .execute(),
      );
    } catch (error) {
      await this.refuseTaken({ miner, hotkey }); // another validator was faster
      throw error;
    }
  }

  /** @throws BAD_REQUEST with the field `hotkey` where it stands for another miner */
  async refuseTaken({ miner, hotkey }: MinerHotkey): Promise<void> {
    const other = await this.#ask((db) =>
      db
        .selectFrom('miner_hotkeys')
        .select('miner')
        .where('hotkey', '=', hotkey)
        .where('miner', '!=', miner)
        .executeTakeFirst(),
    );
    if (!other) return;
    const message = say('validation.hotkey.taken', { miner: other.miner });
    throw new QuarryError({ code: 'BAD_REQUEST', message, hint: say('validation.hotkey.takeAway'), field: 'hotkey' });
  }

  /** No hotkey stands for a miner any more. Idempotent. */
  async remove(miner: string): Promise<void> {
    await this.#ask((db) => db.deleteFrom('miner_hotkeys').where('miner', '=', miner).execute());
  }
}
