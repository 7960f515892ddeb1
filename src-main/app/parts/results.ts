import { ResultsDb } from '../../store/results/results-db.ts';
import type { Core } from './core.ts';

/** What validators keep. */
export interface ResultsPart {
  /** It may not be open yet: for whoever opens it when it is needed, and again where its server was away. */
  readonly db: ResultsDb;
  /** The same, open: whoever has no results to keep or to look at needs none. @throws as {@link ResultsDb.open} */
  opened(): Promise<ResultsDb>;
}

export function openResults({ config, onClose }: Pick<Core, 'config' | 'onClose'>): ResultsPart {
  const db = new ResultsDb({ dataDir: config.dataDir, url: config.database });
  onClose(() => db.close());
  return {
    db,
    async opened() {
      await db.open();
      return db;
    },
  };
}
