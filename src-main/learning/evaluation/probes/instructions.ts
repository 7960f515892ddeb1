import { verifierOf, type Wish } from '../verifiers/wish.ts';
import { asked, type Probe } from './probe.ts';

const SYSTEM = 'You are a helpful assistant.';
const MOST_TOKENS = 160;

/** The first three are the original's (B6), checked by the same rules; the others ask for less. */
const INSTRUCTIONS: readonly (readonly [question: string, wish: Wish])[] = [
  ['Describe the sun in exactly 3 sentences.', { kind: 'length', unit: 'sentences', least: 3, most: 3 }],
  [
    'List 5 kinds of fruit as a numbered list.',
    { kind: 'pattern', pattern: String.raw`(?s)^\s*1[.)].*^\s*2[.)].*^\s*3[.)].*^\s*4[.)].*^\s*5[.)]` },
  ],
  ['Explain recursion without using the word "function".', { kind: 'phrase', phrase: 'function', wanted: false }],
  [
    'Is fire hot? Answer only with yes or no.',
    { kind: 'pattern', pattern: String.raw`^\s*"?(?:yes|no)\b`, ignoreCase: true },
  ],
  ['Write the word "apple" in capital letters.', { kind: 'pattern', pattern: 'APPLE' }],
  ['Repeat exactly: the quick brown fox', { kind: 'phrase', phrase: 'the quick brown fox' }],
];

/** Whether a model does what it is told. */
export const INSTRUCTION_PROBES: readonly Probe[] = INSTRUCTIONS.map(([question, wish]) => {
  const verifier = verifierOf(wish);
  return {
    id: `instruction: ${question}`,
    kind: 'instruction',
    messages: asked(SYSTEM, question),
    maxTokens: MOST_TOKENS,
    check: async (answer, signal) => (answer.text !== '' && (await verifier.check(answer, signal)).passes ? 1 : 0),
  };
});
