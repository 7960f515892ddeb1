import { sentence, type Words } from '../../../../../src-preload/contract/saying.ts';

/** There is no score, and why: that is neither 0 nor a pass. */
export class Unscored extends Error {
  readonly why: Words;

  constructor(why: Words, options?: ErrorOptions) {
    super(sentence(why), options);
    this.name = 'Unscored';
    this.why = why;
  }
}
