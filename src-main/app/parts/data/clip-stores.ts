import { dataPath } from '../../../base/data-folder.ts';
import { ClipFolder } from '../../../clips/kept/clip-folder.ts';
import { ClipJobStore } from '../../../store/clips/clip-jobs.ts';
import { ClipShardStore } from '../../../store/clips/clip-shards.ts';
import { ClipSubmissionStore } from '../../../store/clips/clip-submissions.ts';
import { ClipStore } from '../../../store/clips/clips.ts';
import type { Core } from '../core.ts';

/** Where all there is of clips is kept. */
export interface ClipStores {
  readonly clips: ClipStore;
  readonly jobs: ClipJobStore;
  readonly shards: ClipShardStore;
  readonly submissions: ClipSubmissionStore;
  /** Their files, under {@link path}. */
  readonly folder: ClipFolder;
  readonly path: string;
}

export function clipStores({ db, config }: Pick<Core, 'db'> & { config: Pick<Core['config'], 'dataDir'> }): ClipStores {
  const path = dataPath(config.dataDir, 'clips');
  return {
    ...{ clips: new ClipStore(db), jobs: new ClipJobStore(db), shards: new ClipShardStore(db) },
    ...{ submissions: new ClipSubmissionStore(db), folder: new ClipFolder(path), path },
  };
}
