import { join } from 'node:path';
import type { DataAbility, MinerOfClips, Submission } from '../../../../src-preload/contract/data.ts';
import type { SubmissionRole } from '../../../../src-preload/contract/data-names.ts';
import { say, wordsOf } from '../../../../src-preload/contract/saying.ts';
import { Changes } from '../../../base/changes.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { freeBytes } from '../../../base/free-bytes.ts';
import { ClipIndex } from '../../../clips/index/clip-index.ts';
import { ClipLibrary } from '../../../clips/library/clip-library.ts';
import { clipRoad } from '../../../clips/library/clip-road.ts';
import type { Scorer } from '../../../clips/library/ports.ts';
import { Renumbering } from '../../../clips/library/renumbering.ts';
import { cleanUp } from '../../../clips/mining/clean-up.ts';
import { ClipFolder } from '../../../clips/mining/clip-folder.ts';
import { DiskRoom } from '../../../clips/mining/disk-room.ts';
import { Miner } from '../../../clips/mining/miner.ts';
import { MiningDesk } from '../../../clips/mining/mining-desk.ts';
import type { ClipTools, Conditions, Sources, TakeDowns } from '../../../clips/mining/ports.ts';
import { VideoSearch } from '../../../clips/mining/video-search.ts';
import { VideoWork } from '../../../clips/mining/video-work.ts';
import { ClipJobStore } from '../../../store/clips/clip-jobs.ts';
import type { ClipVectorKind } from '../../../store/clips/clip-tables.ts';
import { ClipStore } from '../../../store/clips/clips.ts';
import type { Core } from '../core.ts';
import type { PolicyPart } from '../policy.ts';

/** Submissions of clips: those that this node has handed in, and those that it was handed. */
export interface Submissions {
  /** The newest first. */
  list(wanted: {
    role?: SubmissionRole | undefined;
    before?: number | undefined;
    rows: number;
  }): Promise<{ submissions: Submission[]; next: number | null }>;
  /** The best first. */
  miners(): Promise<MinerOfClips[]>;
}

/** Vectors that are read at once. */
const PAGE = 250;

/** Clips of videos: how they are found, made and kept. */
export interface DataPart {
  readonly jobs: ClipJobStore;
  readonly clips: ClipStore;
  readonly folder: ClipFolder;
  readonly miner: Miner;
  readonly search: VideoSearch;
  readonly desk: MiningDesk;
  readonly library: ClipLibrary;
  readonly index: ClipIndex;
  readonly submissions: Submissions;
  readonly changes: Changes;
  abilities(): Promise<DataAbility[]>;
  /** Gives clips and their pictures: see {@link clipRoad}. */
  giveClip(request: Request): Promise<Response>;
}

/** What clips are made with, and by whom they are judged. */
export interface DataNeeds {
  sources: Sources;
  tools: ClipTools;
  takeDowns: TakeDowns;
  abilities: () => Promise<DataAbility[]>;
  scorer: Scorer | undefined;
  submissions: Submissions;
  policy: PolicyPart | undefined;
  /** Whether the node stays: a single command goes on with nothing by itself. */
  stays: boolean;
}

export async function openData(core: Core, needs: DataNeeds): Promise<DataPart> {
  const { config, db, settings, log, until, onDrain, onClose } = core;
  const { sources, tools, takeDowns, abilities, scorer, submissions, policy, stays } = needs;
  const [jobs, clips, changes, now] = [new ClipJobStore(db), new ClipStore(db), new Changes(), Date.now];
  const path = dataPath(config.dataDir, 'clips');
  const folder = new ClipFolder(path);
  const [diskBudget, mostFetched, clipsPerVideo] = [
    settings.follow('data.diskBudget'),
    settings.follow('data.mostFetched'),
    settings.follow('data.clipsPerVideo'),
  ];
  const budget = () => diskBudget.now;
  const room = new DiskRoom({ jobs, clips, folder, budget, free: () => freeBytes(path) });
  const models = () => tools.models();
  const index = new ClipIndex({
    pages: (space, kind, after) => clips.vectorPage(space, kind as ClipVectorKind, after, PAGE),
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
  if (stays) renumbering.open();
  onDrain(() => miner.drain());
  onClose(() => miner.close());
  onClose(() => renumbering.close());
  const desk = new MiningDesk({ jobs, clips, library, miner, search, sources, tools, abilities, budget, changes });
  const giveClip = (request: Request) => clipRoad(library, request);
  return { jobs, clips, folder, miner, search, desk, library, index, submissions, changes, abilities, giveClip };
}

/** What the load policy says against it: as long as one of its rules is met, clips wait. */
function conditionsOf(policy: PolicyPart | undefined): Conditions {
  return {
    against: () =>
      (policy?.current().reasons ?? []).map((one) => say('clips.policy', { reason: wordsOf(one, 'text') })),
    subscribe: (listener) => policy?.subscribe(() => listener()) ?? (() => undefined),
  };
}
