import type { DataAbility } from '../../../src-preload/contract/data.ts';
import { say, told } from '../../../src-preload/contract/saying.ts';
import { FfmpegTool, type FoundPrograms } from './ffmpeg-tool.ts';
import { findMediaTool, type LackingPrograms } from './find-media-tool.ts';

export interface MediaPlaceOptions {
  /** The setting: where ffmpeg is. */
  path: () => string | undefined;
  /** Looks for it. Default: on this computer. */
  find?: (options: { path: string | undefined }) => Promise<FoundPrograms | LackingPrograms>;
  /** Milliseconds. Default performance.now. */
  now?: () => number;
}

/** Milliseconds after which a program that was not there is looked for again: it may have been installed. */
const LOOK_AGAIN_MS = 10_000;

interface Looked {
  path: string | undefined;
  at: number;
  found: Promise<FoundPrograms | LackingPrograms>;
  isThere: boolean;
  tool: FfmpegTool | undefined;
}

/** The user's ffmpeg: looked for when it is first wanted, when the setting is another, and again where it was not there. */
export class MediaPlace {
  readonly #options: MediaPlaceOptions;
  #looked: Looked | undefined;

  constructor(options: MediaPlaceOptions) {
    this.#options = options;
  }

  /** Undefined where there is none. */
  async tool(): Promise<FfmpegTool | undefined> {
    const looked = this.#look();
    const programs = await looked.found;
    if ('lacks' in programs) return undefined;
    looked.tool ??= new FfmpegTool({ programs });
    return looked.tool;
  }

  async ability(): Promise<DataAbility> {
    const found = await this.#look().found;
    const isReady = !('lacks' in found);
    return {
      ability: 'media',
      isReady,
      by: isReady ? `ffmpeg ${found.version}` : null,
      lost: isReady ? null : told({ text: say('settings.sentences', { all: [found.lacks, say('clips.media.lost')] }) }),
      hint: isReady ? null : told({ text: found.hint }),
    };
  }

  #look(): Looked {
    const { path, find = findMediaTool, now = () => performance.now() } = this.#options;
    const [last, wanted] = [this.#looked, path()];
    const isGood = last && last.path === wanted && (last.isThere || now() - last.at < LOOK_AGAIN_MS);
    if (isGood) return last;
    const looked: Looked = { path: wanted, at: now(), found: find({ path: wanted }), isThere: false, tool: undefined };
    void looked.found.then((found) => {
      looked.isThere = !('lacks' in found);
    });
    this.#looked = looked;
    return looked;
  }
}
