/** From where on cosines mean something. They differ from one pair of models to another: OMEGA's are of ImageBind, those of others have to be measured. */
export interface ClipThresholds {
  /** Two clips closer than this are the same one, and so are two readings of one clip. */
  same: number;
  /** A clip whose distance (1 − cosine) to what is known is below this is known. */
  novel: number;
  /** A part of a description that is less close to its clip says nothing about it. */
  unrelated: number;
  /** Hardly any clip is closer to words than this: what claims to be counts as this close. At most {@link MOST_CLOSENESS}. */
  closest: number;
}

/**
 * With a higher one lying would pay: of ten submissions one is looked at, and who is found to lie loses five points. Whoever makes up vectors can earn
 * (0.7·c + 1.3·(2c + 0.5) ÷ 3) ÷ 2, and nine times that has to be less than five: it is so below 0.57.
 */
export const MOST_CLOSENESS = 0.5;

/** OMEGA's own, for ImageBind (B2 and B5 of its fact sheet), which knows no closest. */
export const IMAGEBIND: ClipThresholds = { same: 0.95, novel: 0.1, unrelated: 0.12, closest: MOST_CLOSENESS };
