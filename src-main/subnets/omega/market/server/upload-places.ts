import { Problem } from './problem.ts';

/** Pieces of videos that are in memory at once. */
const PLACES = 16;
/** And of one seller. */
const OWN_PLACES = 4;
/** Of all, so many are kept for sellers who have none: a few with many requests keep out nobody. */
const FOR_OTHERS = 8;
const BUSY_MS = 2_000;
/** Between two looks at a piece so much has to come: what comes slower takes a place from others. */
const LEAST_BYTES = 64 << 10;
const LOOK_MS = 10_000;

/** A piece that comes in. */
export interface ComingPiece {
  /** All that has come so far, of it and of what came before it. */
  bytes: () => number;
  isWhole: () => boolean;
  /** Ends it. */
  end: () => void;
}

/** Who may upload at once, and how slowly at most. */
export class UploadPlaces {
  /** By the sellers (coldkeys: hotkeys are many and cheap) whose they are. */
  readonly #taken: string[] = [];
  readonly #lookMs: number;

  /** @param lookMs milliseconds between two looks at a piece */
  constructor(lookMs = LOOK_MS) {
    this.#lookMs = lookMs;
  }

  /**
   * @returns what gives the place back
   * @throws Problem UNAVAILABLE while there are too many
   */
  take(seller: string, piece: ComingPiece): () => void {
    const own = this.#taken.filter((one) => one === seller).length;
    const free = PLACES - this.#taken.length;
    if (free <= (own === 0 ? 0 : FOR_OTHERS) || own >= OWN_PLACES) {
      throw new Problem('UNAVAILABLE', 'Too many videos are uploaded at once.', { retryAfterMs: BUSY_MS });
    }
    this.#taken.push(seller);
    const looks = this.#watch(piece);
    return () => {
      clearInterval(looks);
      this.#taken.splice(this.#taken.indexOf(seller), 1);
    };
  }

  #watch({ bytes, isWhole, end }: ComingPiece): NodeJS.Timeout {
    let before = bytes();
    const looks = setInterval(() => {
      if (isWhole()) return clearInterval(looks);
      if (bytes() - before < LEAST_BYTES) end();
      before = bytes();
    }, this.#lookMs);
    return looks;
  }
}
