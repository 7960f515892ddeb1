import { randomBytes } from 'node:crypto';
import type { Provenance, Submission, VideoRef } from '../../../../../src-preload/contract/data.ts';
import { MOST_CLIPS, MOST_SOUNDS } from '../../../../../src-preload/contract/data-limits.ts';
import type { SubmissionKind } from '../../../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import { cosine } from '../../../../base/cosine.ts';
import { Turns } from '../../../../base/turns.ts';
import type { SpokenTurn } from '../../../../clips/models/clip-models.ts';
import type { ClipSubmissionStore, SentSubmission } from '../../../../store/clips/clip-submissions.ts';
import { barredBecause } from '../rules/admissible.ts';
import type { HandedClip, HandedSound } from '../synapse/entries.ts';
import type { ClipQuestion, ClipWorker } from '../synapse/serve-clips.ts';

/** A clip of this node's library, with the vectors of the models in use. */
export interface OwnClip extends VideoRef, Pick<Provenance, 'licence' | 'attribution' | 'page'> {
  /** 32 hex. */
  clip: string;
  from: number;
  to: number;
  description: string;
  isTakenDown: boolean;
  space: string;
  seen: Float32Array;
  /** Null without sound. */
  heard: Float32Array | null;
  /** Of the description, among pictures. */
  described: Float32Array;
  /** Who speaks in it when, from its beginning; null where nobody listened. */
  turns: readonly SpokenTurn[] | null;
}

export interface OwnLibrary {
  /** Those that are nearest to a topic by meaning, the nearest first. @throws what keeps it from looking */
  chosenClips(topic: string, count: number, kind: SubmissionKind, signal: AbortSignal): Promise<readonly OwnClip[]>;
}

export interface HandInOptions {
  library: OwnLibrary;
  submissions: Pick<ClipSubmissionStore, 'handedIn' | 'keepSent'>;
  /** Two clips closer than this are the same one (`SpaceThresholds`), by the models of now. */
  same: () => number;
  /** Unix milliseconds. Default Date.now */
  now?: () => number;
}

/** Looked at for each that is wanted: others are known to whoever asks, or alike. */
const CANDIDATES = 12;
/** Questions that wait for their turn, of all and of one asker: more are told to come again. */
const [MOST_WAITING, MOST_OF_ONE] = [16, 4] as const;
const RETRY_MS = 10_000;

/** Hands in what this node has of a topic: nothing twice to the same asker, nothing alike, nothing that was taken down or that nobody else could fetch. One question after the other. */
export class ClipHandIn implements ClipWorker {
  readonly #options: HandInOptions;
  readonly #turns = new Turns();
  /** Askers of questions that wait, once for each. */
  readonly #waiting: string[] = [];

  constructor(options: HandInOptions) {
    this.#options = options;
  }

  async videos(question: ClipQuestion): Promise<HandedClip[]> {
    const chosen = await this.#inTurn(question, 'videos', MOST_CLIPS, isUsable);
    return chosen.map(({ clip: _, isTakenDown: __, turns: ___, ...handed }) => handed);
  }

  async sounds(question: ClipQuestion): Promise<HandedSound[]> {
    const chosen = await this.#inTurn(question, 'sounds', MOST_SOUNDS, isSpeech);
    return chosen.flatMap(
      ({ clip: _, isTakenDown: __, seen: ___, described: ____, description: _____, heard, turns, ...of }) =>
        heard && turns ? [{ ...of, heard, turns }] : [],
    );
  }

  async #inTurn(question: ClipQuestion, kind: SubmissionKind, most: number, fits: (clip: OwnClip) => boolean) {
    const { asker } = question;
    const own = this.#waiting.filter((one) => one === asker).length;
    if (this.#waiting.length >= MOST_WAITING || own >= MOST_OF_ONE) throw busy();
    this.#waiting.push(asker);
    try {
      return await this.#turns.take(() =>
        this.#choose({ ...question, count: Math.min(question.count, most) }, kind, fits),
      );
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(asker), 1);
    }
  }

  async #choose({ topic, count, asker, signal }: ClipQuestion, kind: SubmissionKind, fits: (clip: OwnClip) => boolean) {
    signal.throwIfAborted();
    const { library, submissions, now = Date.now } = this.#options;
    const found = await library.chosenClips(topic, CANDIDATES * count, kind, signal);
    const known = await submissions.handedIn(
      asker,
      found.map(({ clip }) => clip),
    );
    const chosen = this.#unlike(
      found.filter((clip) => fits(clip) && !known.has(clip.clip)),
      count,
      kind,
    );
    signal.throwIfAborted();
    if (chosen.length > 0)
      await submissions.keepSent(
        sentRow({ kind, asker, topic, at: now() }, chosen),
        chosen.map(({ clip }) => clip),
      );
    return chosen;
  }

  #unlike(clips: readonly OwnClip[], count: number, kind: SubmissionKind): OwnClip[] {
    const [chosen, same]: [OwnClip[], number] = [[], this.#options.same()];
    const vectorOf = ({ seen, heard }: OwnClip) => (kind === 'sounds' && heard ? heard : seen);
    for (const clip of clips) {
      if (chosen.length === count) break;
      if (chosen.every((one) => cosine(vectorOf(one), vectorOf(clip)) <= same)) chosen.push(clip);
    }
    return chosen;
  }
}

/** What would not count is not handed in. */
const isUsable = (clip: OwnClip) => !clip.isTakenDown && !barredBecause(clip, 'videos');

const isSpeech = (clip: OwnClip) =>
  !clip.isTakenDown && clip.heard !== null && clip.turns !== null && !barredBecause(clip, 'sounds');

const busy = () =>
  new QuarryError({ code: 'QUEUE_FULL', message: say('clipValidation.busy'), retryable: true, retryAfterMs: RETRY_MS });

function sentRow(
  { kind, asker: peer, topic, at }: { kind: SubmissionKind; asker: string; topic: string; at: number },
  clips: readonly OwnClip[],
): SentSubmission {
  const rows = clips.map(({ source, id, clip, from, to, description }): Submission['clips'][number] => ({
    source,
    id,
    clip,
    from,
    to,
    description,
    score: null,
  }));
  const key = randomBytes(16).toString('hex');
  return { key, kind, at, peer, topic, clip_count: clips.length, clips: JSON.stringify(rows) };
}
