import type { ClipModels } from '../../../clips/models/clip-models.ts';
import { noModels } from '../../../clips/models/no-models.ts';
import { turnsOf } from '../../../clips/models/spoken-turns.ts';
import type { ClipStore, StoredClip } from '../../../store/clips/clips.ts';
import { ClipHandIn, type OwnClip, type OwnLibrary } from '../../../subnets/omega/clips/answering/hand-in.ts';
import { IMAGEBIND } from '../../../subnets/omega/clips/rules/thresholds.ts';
import type { ClipWorker } from '../../../subnets/omega/clips/synapse/serve-clips.ts';
import type { ClipStores } from './clip-stores.ts';
import type { ClipToolsPart } from './clip-tools.ts';
import type { DataPart } from './data.ts';

type WorkerNeeds = { stores: ClipStores } & Pick<ClipToolsPart, 'models'> & Pick<DataPart, 'index'>;

/** Whoever hands in clips of this node’s library to validators of OMEGA. */
export function clipWorker({ stores: { clips, submissions }, models, index }: WorkerNeeds): ClipWorker {
  const library: OwnLibrary = {
    async chosenClips(topic, count, wanted, signal) {
      const { vectors } = models.now;
      if (!vectors) throw noModels();
      const [asked] = await vectors.texts([topic], signal);
      const kind = wanted === 'videos' ? 'seen' : 'heard';
      const vector = asked?.[kind];
      if (!vector) return [];
      const [near = []] = await index.nearest([vector], { space: vectors.space, kind, count });
      const ids = near.map(({ id }) => id);
      const rows = new Map((await clips.several(ids, {})).map((row) => [row.clip, row]));
      const own = await Promise.all(ids.map((id) => ownClip(clips, rows.get(id), vectors)));
      return own.filter((clip) => clip !== undefined);
    },
  };
  // Where nobody has measured these models, as with OMEGA’s.
  const same = () => (models.now.thresholds ?? IMAGEBIND).same;
  return new ClipHandIn({ library, submissions, same });
}

/** Undefined for one that has gone, or is no numbers of these models. */
async function ownClip(
  clips: ClipStore,
  row: StoredClip | undefined,
  { space }: Pick<ClipModels, 'space'>,
): Promise<OwnClip | undefined> {
  if (!row) return undefined;
  const { seen, heard = null, 'described-seen': described } = await clips.vectors(row.clip, space);
  if (!seen || !described) return undefined;
  const { clip, source, video: id, from_s: from, to_s: to, description, licence, attribution, page } = row;
  const about = { clip, source, id, from, to, description, licence, attribution, page, space };
  return { ...about, isTakenDown: row.is_taken_down === 1, seen, heard, described, turns: turnsOf(row) };
}
