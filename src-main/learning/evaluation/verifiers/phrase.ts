import { say } from '../../../../src-preload/contract/saying.ts';
import { plain, type Verifier } from './verifier.ts';

export interface PhraseWanted {
  /** A name, or some words. */
  phrase: string;
  /** Where it is looked for. Default: anywhere. */
  place?: 'anywhere' | 'start' | 'end' | undefined;
  /** Whether it is to be there. Default true. */
  wanted?: boolean | undefined;
}

/**
 * Whether an answer says some words, in whatever case: a name, for instance. As words of their own: the original (B6) looks for «kuro» anywhere, and
 * finds it in «Kurosawa».
 */
export function phraseVerifier({ phrase, place = 'anywhere', wanted = true }: PhraseWanted): Verifier {
  const sought = plainWords(phrase);
  return {
    async check({ text }) {
      const found = isAt(plainWords(text), sought, place);
      const why = found ? say('evaluation.phrase.found', { phrase }) : say('evaluation.phrase.missing', { phrase });
      return plain(found === wanted, why);
    },
  };
}

/** Small letters and digits, one space between words and around all. */
export function plainWords(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}

function isAt(text: string, sought: string, place: 'anywhere' | 'start' | 'end'): boolean {
  if (place === 'start') return text.startsWith(sought);
  if (place === 'end') return text.endsWith(sought);
  return text.includes(sought);
}
