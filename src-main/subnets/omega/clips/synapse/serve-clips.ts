import type { Caller } from '../../../../bittensor/axon/gate.ts';
import { type ServedSynapse, serve } from '../../../../bittensor/axon/served-synapse.ts';
import { AUDIOS } from './audios.ts';
import { audioEntry, type HandedClip, type HandedSound, videoEntry } from './entries.ts';
import { VIDEOS } from './videos.ts';

/** A question for clips. */
export interface ClipQuestion {
  topic: string;
  count: number;
  /** ss58 of whoever asks; of a node of the mesh its id. */
  asker: Caller['hotkey'];
  signal: AbortSignal;
}

/** Whoever has clips to hand in. @throws QuarryError why there are none now */
export interface ClipWorker {
  videos(question: ClipQuestion): Promise<readonly HandedClip[]>;
  sounds(question: ClipQuestion): Promise<readonly HandedSound[]>;
}

/** What an axon answers validators of OMEGA that want clips. */
export function serveVideos(worker: Pick<ClipWorker, 'videos'>): ServedSynapse {
  return serve(VIDEOS, async ({ query: topic, num_videos: count }, { hotkey: asker }, signal) => ({
    video_metadata: (await worker.videos({ topic, count, asker, signal })).map(videoEntry),
  }));
}

/** What it answers them that want sounds of speech. */
export function serveSounds(worker: Pick<ClipWorker, 'sounds'>): ServedSynapse {
  return serve(AUDIOS, async ({ query: topic, num_audios: count }, { hotkey: asker }, signal) => ({
    audio_metadata: (await worker.sounds({ topic, count, asker, signal })).map(audioEntry),
  }));
}
