import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { ResultsDb } from '../../../store/results/results-db.ts';
import type { Core } from '../core.ts';

/** What validators keep. */
export interface ResultsPart {
  /** It may not be open yet: for whoever opens it when it is needed, and again where its server was away. */
  readonly db: ResultsDb;
  /** The same, open: whoever has no results to keep or to look at needs none. @throws as {@link ResultsDb.open} */
  opened(): Promise<ResultsDb>;
}

export function openResults({ config, onClose }: Pick<Core, 'config' | 'onClose'>): ResultsPart {
  const db = new NodeResults({ dataDir: config.dataDir, url: config.database });
  onClose(() => db.close());
  return {
    db,
    async opened() {
      await db.open();
      return db;
    },
  };
}

/** Results of a node: what still goes on in one that has closed does not open them again. */
class NodeResults extends ResultsDb {
  #isOver = false;

  /** @throws NOT_RUNNING once it was closed */
  override async open(): Promise<void> {
    if (this.#isOver) throw new QuarryError({ code: 'NOT_RUNNING', message: say('results.closed') });
    await super.open();
  }

  override async close(): Promise<void> {
    this.#isOver = true;
    await super.close();
  }
}
