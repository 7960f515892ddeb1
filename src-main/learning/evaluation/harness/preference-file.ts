import { createRequire } from 'node:module';
import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { messageSchema } from '../../../../src-preload/contract/request.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { badInput } from '../../../base/bad-input.ts';
import { faultText } from '../../../base/value-fault.ts';
import { PLAIN_SYSTEM, type Preference, underSystem } from '../prompts/preference.ts';
import { patternVerifier } from '../verifiers/pattern.ts';
import { type Wish, wishSchema } from '../verifiers/wish.ts';

const MOST_CHARS = 1_000_000;
const prompt = z.string().min(1).max(4_000);

/** The original's classes, by their names. */
const CLASSES: ReadonlyMap<string, Wish> = new Map([
  ['NoEmojiVerifier', { kind: 'emoji', wanted: false }],
  ['ConciseVerifier', { kind: 'concise' }],
  ['IdentityVerifier', { kind: 'phrase', phrase: 'Kuro' }],
]);

/** A class by its name or its path, as the original writes it, or what we call a wish. */
const verifierSchema = z
  .union([z.string(), z.object({ _target_: z.string() }).transform(({ _target_: path }) => path), wishSchema])
  .transform((given, context): Wish => {
    const wish = typeof given === 'string' ? CLASSES.get(given.split('.').at(-1) ?? '') : given;
    if (!wish) context.addIssue({ code: 'custom', message: faultText('value.verifier') });
    return wish ?? z.NEVER;
  });

const fileSchema = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
  feedback_string: prompt,
  verifier: verifierSchema,
  logprob_pairs: z
    .array(
      z.object({
        prompt_messages: z.array(messageSchema).min(1).max(20),
        positive_response: prompt,
        negative_response: prompt,
      }),
    )
    .max(50)
    .default([]),
  probe_prompts: z.array(prompt).min(2).max(500),
  /** Ours: what is taught with. Default: every other of the probes, which are then not measured with. */
  training_prompts: z.array(prompt).min(1).max(500).optional(),
  /** Ours. Empty: none, as people ask who have set none. */
  system_prompt: z.union([prompt, z.literal('')]).default(PLAIN_SYSTEM),
});

/**
 * A preference out of YAML in the original's format (B6). Of `probe_prompts` every other one is taught with and the others are measured with, unless
 * `training_prompts` names those to teach with: the original does both with all, and measures what it has taught.
 * @throws BAD_REQUEST with the field at fault
 */
export function readPreference(yaml: string): Preference {
  const parsed = fileSchema.safeParse(parsedYaml(yaml));
  if (!parsed.success) throw badInput(parsed.error.issues[0], parsed.error);
  const {
    name,
    feedback_string: feedback,
    verifier: wish,
    logprob_pairs: pairs,
    system_prompt: system,
    ...lists
  } = parsed.data;
  checkPatterns(wish); // before a model is loaded in vain
  return {
    name,
    feedback,
    wish,
    system,
    ...heldApart(lists.probe_prompts, lists.training_prompts),
    pairs: pairs.map(({ prompt_messages: messages, positive_response: positive, negative_response: negative }) => ({
      messages: messages.some(({ role }) => role === 'system') ? messages : underSystem(system, messages),
      positive,
      negative,
    })),
  };
}

/** @throws BAD_REQUEST for one that is none */
function checkPatterns(wish: Wish): void {
  const wishes = wish.kind === 'all' ? wish.of : [wish];
  for (const one of wishes) if (one.kind === 'pattern') patternVerifier(one);
}

function heldApart(probes: readonly string[], training: readonly string[] | undefined) {
  if (!training)
    return { training: probes.filter((_, at) => at % 2 === 0), heldOut: probes.filter((_, at) => at % 2 === 1) };
  const taught = new Set(training);
  const heldOut = probes.filter((probe) => !taught.has(probe));
  if (heldOut.length > 0) return { training, heldOut };
  throw new QuarryError({ code: 'BAD_REQUEST', message: say('evaluation.file.leak'), field: 'probe_prompts' });
}

/** What an anchor looks like, also right behind a tag, `!<…>&a`. Aliases of it make a small file a huge value: none is read here, not even where it is only text. */
const ANCHOR = /(?:^|[\s[{,:>-])&\S/m;

function parsedYaml(text: string): unknown {
  if (text.length > MOST_CHARS || ANCHOR.test(text)) throw unreadable();
  const yaml: typeof import('js-yaml').default = createRequire(import.meta.url)('js-yaml');
  try {
    return yaml.load(text, { schema: yaml.CORE_SCHEMA });
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause?: unknown): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message: say('evaluation.file.yaml') }, { cause });
}
