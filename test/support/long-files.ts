import { pino } from 'pino';
import { type EmbeddingModel, LongFiles } from '../../src-main/conversations/long-files.ts';
import { LongFileStore } from '../../src-main/store/conversations/long-files.ts';
import type { Db } from '../../src-main/store/database.ts';

/** Long files that are searched by a model, or by words alone. */
export function longFilesIn(db: Db, model?: EmbeddingModel): LongFiles {
  const embedding = { model: async () => model };
  return new LongFiles({ store: new LongFileStore(db), embedding, log: pino({ level: 'silent' }) });
}
