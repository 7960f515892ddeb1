import { join } from 'node:path';
import { say, wordsOf } from '../../../../src-preload/contract/saying.ts';
import { Changes } from '../../../base/changes.ts';
import { freeBytes } from '../../../base/free-bytes.ts';
import { ClipIndex } from '../../../clips/index/clip-index.ts';
import { clipRoad } from '../../../clips/kept/clip-road.ts';
import { ClipLibrary } from '../../../clips/library/clip-library.ts';
import { Renumbering } from '../../../clips/library/renumbering.ts';
import { ScoredBy } from '../../../clips/library/scored-by.ts';
import { cleanUp } from '../../../clips/mining/clean-up.ts';
import { DiskRoom } from '../../../clips/mining/disk-room.ts';
import { Miner } from '../../../clips/mining/miner.ts';
import { MiningDesk } from '../../../clips/mining/mining-desk.ts';
import { VideoSearch } from '../../../clips/mining/video-search.ts';
import { VideoWork } from '../../../clips/mining/video-work.ts';
import type { Conditions } from '../../../clips/models/clip-tools.ts';
import type { ClipVectorKind } from '../../../store/clips/clip-tables.ts';
import type { Core } from '../core.ts';
import type { PolicyPart } from '../policy.ts';
import { clipScorer } from './clip-scorer.ts';
import type { ClipStores } from './clip-stores.ts';
import type { ClipToolsPart } from './clip-tools.ts';

/** Clips of videos: how they are found, made and kept. */
export interface DataPart {
  readonly miner: Miner;
  readonly search: VideoSearch;
  readonly desk: MiningDesk;
  readonly library: ClipLibrary;
  readonly index: ClipIndex<ClipVectorKind>;
  /** To be told where models, or what was measured of them, are others. */
  readonly scoredBy: ScoredBy;
  readonly changes: Changes;
  /** Gives clips and their pictures: see {@link clipRoad}. */
  giveClip(request: Request): Promise<Response>;
}

/** What clips are made with, and by whom they are judged. */
interface DataNeeds extends Pick<ClipToolsPart, 'sources' | 'tools' | 'models' | 'abilities'> {
  stores: ClipStores;
  policy: PolicyPart | undefined;
  /** Whether the node stays: a single command goes on with nothing by itself. */
  stays: boolean;
}

export async function openData(core: Core, needs: DataNeeds): Promise<DataPart> {
  const { settings, log, until, onDrain, onClose } = core;
  const { sources, tools, abilities, policy, stays } = needs;
  const { jobs, clips, folder, path, shards: takeDowns } = needs.stores;
  const [changes, now] = [new Changes(), Date.now];
  const scorer = clipScorer(() => needs.models.now.thresholds);
  const [diskBudget, mostFetched, clipsPerVideo] = [
    settings.follow('data.diskBudget'),
    settings.follow('data.mostFetched'),
    settings.follow('data.clipsPerVideo'),
  ];
  const budget = () => diskBudget.now;
  const room = new DiskRoom({ jobs, clips, folder, budget, free: () => freeBytes(path) });
  const models = () => tools.models();
  const index = new ClipIndex<ClipVectorKind>({
    pages: (space, kind, after, rows) => clips.vectorPage(space, kind, after, rows),
    folder: join(path, 'index'),
  });
  onClose(() => index.close());
  const library = new ClipLibrary({ store: clips, folder, models, index, scorer, changes, now });
  const search = new VideoSearch({ jobs, sources, takeDowns, now });
  const work = new VideoWork({
    ...{ jobs, clips, folder, room, sources, tools, takeDowns, log, now },
    limits: () => ({ budget: budget(), fetched: mostFetched.now, clips: clipsPerVideo.now }),
    onMade: async (clip) => {
      changes.tell();
      const added = library.added(clip, until()); // waited for: a command that makes clips ends with the last one
      await added.catch((err: unknown) => log.warn({ err, clip }, 'clips: a clip has no score yet'));
    },
  });
  const conditions = conditionsOf(policy);
  const onDone = (clip: string, signal: AbortSignal) => library.added(clip, signal);
  const renumbering = new Renumbering({ store: clips, folder, tools, conditions, onDone, log });
  const miner = new Miner({ jobs, folder, search, work, tools, conditions, changes, log, now });
  await cleanUp({ jobs, clips, folder }); // for a single command, too: it has the folder to itself
  if (stays) await miner.open();
  const scoredBy = new ScoredBy({
    file: join(path, 'scored-by.json'),
    thresholds: () => needs.models.now.thresholds,
    scoreAnew: () => renumbering.scoreAnew(),
  });
  if (stays) renumbering.open();
  // Of a large library it takes a while: nothing waits for it.
  if (stays) scoredBy.look().catch((err: unknown) => log.warn({ err }, 'clips: they are not scored anew'));
  onDrain(() => miner.drain());
  onClose(() => miner.close());
  onClose(async () => {
    await renumbering.close();
    await scoredBy.close();
  });
  const desk = new MiningDesk({
    ...{ jobs, clips, library, renumbering, miner, search, sources, tools, abilities, budget, changes },
  });
  const giveClip = (request: Request) => clipRoad(library, request);
  return { miner, search, desk, library, index, scoredBy, changes, giveClip };
}

/** What the load policy says against it: as long as one of its rules is met, clips wait. */
function conditionsOf(policy: PolicyPart | undefined): Conditions {
  return {
    against: () =>
      (policy?.current().reasons ?? []).map((one) => say('clips.policy', { reason: wordsOf(one, 'text') })),
    subscribe: (listener) => policy?.subscribe(() => listener()) ?? (() => undefined),
  };
}
