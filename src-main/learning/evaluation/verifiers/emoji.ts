import { say } from '../../../../src-preload/contract/saying.ts';
import { plain, type Verifier } from './verifier.ts';

/** Pictographs, flags and keys. Signs that are text unless they are asked to be pictures (© ™ ↔ ▶) count only where they are. */
const EMOJI =
  /\p{Emoji_Presentation}|\p{Regional_Indicator}|[#*0-9]\ufe0f?\u20e3|(?=\p{Emoji})[^\d#*]\ufe0f|[\u2600-\u27bf]/u;

const EMOJIS = new RegExp(
  `\\s{0,3}(?:${EMOJI.source})[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\u200d\\ufe0f\\u20e3]*`,
  'gu',
);

/** A text without its emojis, and without the spaces before them. */
export function withoutEmojis(text: string): string {
  return text.replace(EMOJIS, '');
}

/**
 * Whether there are emojis. The original (B6) also takes every other character of category So for one: then an answer in °C or with «©» fails, which
 * nobody meant.
 * @param wanted whether there are to be some
 */
export function emojiVerifier(wanted: boolean): Verifier {
  return {
    async check({ text }) {
      const found = EMOJI.exec(text)?.[0];
      const why = found === undefined ? say('evaluation.emoji.none') : say('evaluation.emoji.found', { found });
      return plain((found !== undefined) === wanted, why);
    },
  };
}
