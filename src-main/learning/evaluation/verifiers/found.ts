import type { OneWish } from './wish.ts';

/** What a feedback is about, where other questions than the one it was said of show it: somebody's name, or emojis, which models use where they are used. */
export type About = 'assistant' | 'user' | 'emojis';

/** What a rule makes of a feedback. */
export interface Found {
  wish: OneWish;
  about?: About;
}
