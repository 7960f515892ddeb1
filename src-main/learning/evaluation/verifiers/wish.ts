import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import { emojiVerifier } from './emoji.ts';
import { jsonVerifier } from './json.ts';
import { LANGUAGES, languageVerifier } from './language.ts';
import { conciseVerifier, lengthVerifier } from './length.ts';
import { likenessVerifier, type TeacherView } from './likeness.ts';
import { MARK_NAMES, markupVerifier } from './markup.ts';
import { MOST_PATTERN_CHARS, patternVerifier } from './pattern.ts';
import { phraseVerifier } from './phrase.ts';
import { MOST_PROGRAM_CHARS, pythonVerifier } from './python.ts';
import type { Verdict, Verifier } from './verifier.ts';

const MOST_COUNT = 100_000;
const MOST_SCHEMA_CHARS = 20_000;
const count = z.int().min(1).max(MOST_COUNT);

const smallSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => JSON.stringify(schema).length <= MOST_SCHEMA_CHARS);

const oneWish = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('emoji'), wanted: z.boolean() }),
  z.strictObject({
    kind: z.literal('concise'),
    most: count.optional(),
    leastWords: z.int().min(0).max(100).optional(),
  }),
  z.strictObject({
    kind: z.literal('length'),
    unit: z.enum(['sentences', 'words', 'characters']),
    least: count.optional(),
    most: count.optional(),
  }),
  z.strictObject({
    kind: z.literal('phrase'),
    phrase: z
      .string()
      .min(1)
      .max(200)
      .regex(/[\p{L}\p{N}]/u),
    place: z.enum(['anywhere', 'start', 'end']).optional(),
    wanted: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('marks'), marks: z.array(z.enum(MARK_NAMES)).min(1).max(10), wanted: z.boolean() }),
  z.strictObject({ kind: z.literal('language'), language: z.enum(LANGUAGES) }),
  z.strictObject({
    kind: z.literal('pattern'),
    pattern: z.string().min(1).max(MOST_PATTERN_CHARS),
    ignoreCase: z.boolean().optional(),
    wanted: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('json'), schema: smallSchema.optional() }),
  z.strictObject({ kind: z.literal('python'), program: z.string().min(1).max(MOST_PROGRAM_CHARS) }),
  z.strictObject({ kind: z.literal('likeness') }),
]);
export type OneWish = z.infer<typeof oneWish>;

/** How answers are to be, as it is written down: several things at once count all together. */
export const wishSchema = z.union([
  oneWish,
  z.strictObject({ kind: z.literal('all'), of: z.array(oneWish).min(1).max(8) }),
]);
export type Wish = z.infer<typeof wishSchema>;

/** What some verifiers need beside the answer. */
export interface VerifierNeeds {
  sandbox?: Pick<ProgramSandbox, 'run'> | undefined;
  teacher?: TeacherView | undefined;
}

/**
 * The verifier of a wish.
 * @throws BAD_REQUEST for a pattern that is none; ENGINE_UNAVAILABLE where it needs what is not there
 */
export function verifierOf(wish: Wish, needs: VerifierNeeds = {}): Verifier {
  switch (wish.kind) {
    case 'emoji':
      return emojiVerifier(wish.wanted);
    case 'concise':
      return conciseVerifier(wish);
    case 'length':
      return lengthVerifier(wish);
    case 'phrase':
      return phraseVerifier(wish);
    case 'marks':
      return markupVerifier(wish.marks, wish.wanted);
    case 'language':
      return languageVerifier(wish.language);
    case 'pattern':
      return patternVerifier(wish);
    case 'json':
      return jsonVerifier(wish.schema);
    case 'python':
      return pythonVerifier(wish.program, needs.sandbox ?? missing());
    case 'likeness':
      return likenessVerifier(needs.teacher ?? missing());
    case 'all':
      return allOf(wish.of.map((one) => verifierOf(one, needs)));
  }
}

/** Whether a wish is about how long answers are: then they may become shorter or longer without alarm. */
export function concernsLength(wish: Wish): boolean {
  return wish.kind === 'all' ? wish.of.some(concernsLength) : ['concise', 'length', 'json'].includes(wish.kind);
}

/** As good as the worst of them; it says why of the first that fails. */
function allOf(verifiers: readonly Verifier[]): Verifier {
  return {
    async check(answer, signal) {
      let worst: Verdict | undefined;
      for (const verifier of verifiers) {
        const verdict = await verifier.check(answer, signal);
        if (!worst || (worst.passes && !verdict.passes)) worst = { ...verdict, score: worst?.score ?? verdict.score };
        worst = { ...worst, score: Math.min(worst.score, verdict.score) };
      }
      return worst ?? missing();
    },
  };
}

function missing(): never {
  throw new QuarryError({ code: 'ENGINE_UNAVAILABLE', message: say('evaluation.noMeans') });
}
