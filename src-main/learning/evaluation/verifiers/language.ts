import { say } from '../../../../src-preload/contract/saying.ts';
import { plainWords } from './phrase.ts';
import { plain, type Verifier } from './verifier.ts';

/** Words that a language uses all the time, and the others do not have. */
const COMMON = {
  de: 'der die das und ist nicht ein eine einen ich du sie wir mit für auf dem den von zu sich auch werden wird sind oder aber wie kann bei nach',
  en: 'the and is are of to it that this with for you was were have has not they which from can will be would there what by',
  fr: 'le les des et est une dans pour qui sur pas avec vous nous sont ce cette au aux du plus mais comme être',
  es: 'el los las es una que en por para con del se lo como pero más su son al está muy este esta y',
  it: 'il gli è una che di per con non sono della del nel come più questo questa anche si ma lo alla',
  nl: 'het een van en dat niet zijn voor met op te aan er ook maar om bij wordt deze naar',
  pt: 'o os uma que em não com para por mais como mas dos das ao é são você isso pela',
} as const;
export type Language = keyof typeof COMMON;
export const LANGUAGES = Object.keys(COMMON) as [Language, ...Language[]];

const SETS = new Map(LANGUAGES.map((language) => [language, new Set(COMMON[language].split(' '))]));

/** Of all common words in an answer, so many have to be of the language. */
const LEAST_SHARE = 0.6;

/** Whether an answer is in a language, told by its common words: an answer without any («Paris.») is taken for every language. */
export function languageVerifier(language: Language): Verifier {
  return {
    async check({ text }) {
      const words = plainWords(text).trim().split(' ');
      if (words[0] === '') return plain(false, say('evaluation.length.empty'));
      const own = hits(words, language);
      const strongest = Math.max(...LANGUAGES.filter((other) => other !== language).map((other) => hits(words, other)));
      const score = own + strongest === 0 ? 1 : own / (own + strongest);
      return {
        score,
        passes: score >= LEAST_SHARE,
        why: say('evaluation.language', { share: Math.round(100 * score) }),
      };
    },
  };
}

function hits(words: readonly string[], language: Language): number {
  return words.filter((word) => SETS.get(language)?.has(word)).length;
}
