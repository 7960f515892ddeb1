import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { KernelTask } from './examine.ts';
import type { Tried } from './standing.ts';

export interface ContextNeeds {
  task: Pick<KernelTask, 'specification' | 'baseline'>;
  /** The source with which the run began. */
  start: string;
  best: Tried | undefined;
  /** The attempt that is to be mended; absent: a new idea is wanted. */
  mends?: Tried | undefined;
  /** What was tried lately, the oldest first, {@link MOST_TOLD} at most. */
  lately: readonly Tried[];
}

/** Who reads it. */
export interface Reader {
  model: string;
  /** Tokens of question and answer together; null where nobody knows. */
  room: number | null;
  count(text: string): Promise<number>;
}

/** Tokens of an answer: a kernel with some words around it. Where there is less room, half of that. */
const ANSWER_TOKENS = 8_192;
/** Where nobody knows how much room there is, tokens. */
const USUAL_ROOM = 32_768;
/** Attempts that are told of. */
export const MOST_TOLD = 12;
const MOST_TOLD_CHARS = 200;

/** The question for the next attempt, and how long its answer may be. */
export interface Question {
  prompt: string;
  maxTokens: number;
}

/**
 * All that helps with the next attempt, as far as it fits: the specification, the source to go on from and its fault always; then what was tried lately, the newest first; then
 * the baseline, where the source is another.
 * @throws CONTEXT_TOO_LONG where not even what is always told has room
 */
export async function questionFor(needs: ContextNeeds, { model, room, count }: Reader): Promise<Question> {
  const has = room ?? USUAL_ROOM;
  const maxTokens = Math.min(ANSWER_TOKENS, Math.floor(has / 2));
  const told = needs.lately;
  const withBaseline = sourceOf(needs) !== needs.task.baseline;
  const ways = [
    ...told.map((_, dropped) => ({ lately: told.slice(dropped), baseline: withBaseline })),
    { lately: [], baseline: withBaseline },
    { lately: [], baseline: false },
  ];
  let needed = 0;
  for (const way of ways) {
    const prompt = promptOf({ ...needs, lately: way.lately }, way.baseline);
    needed = (await count(prompt)) + maxTokens;
    if (needed <= has) return { prompt, maxTokens };
  }
  throw new QuarryError({
    code: 'CONTEXT_TOO_LONG',
    message: say('optimiser.noRoom', { model, needs: needed, room: has }),
    hint: say('optimiser.largerModel'),
  });
}

/** What the next attempt goes on from. */
const sourceOf = ({ mends, best, start }: Pick<ContextNeeds, 'mends' | 'best' | 'start'>) =>
  mends?.source ?? best?.source ?? start;

function promptOf(needs: ContextNeeds, withBaseline: boolean): string {
  const { task, lately } = needs;
  return [
    'You write a compute kernel in AssemblyScript that is compiled to one WebAssembly module. It has to be right, and as fast as possible.',
    `# Specification\n\n${task.specification.trim()}`,
    withBaseline ? `# The baseline\n\nIt is right; speeds are measured against it.\n\n${block(task.baseline)}` : '',
    lately.length > 0 ? `# What was tried lately\n\n${lately.map(toldOf).join('\n')}` : '',
    wanted(needs),
    FORM,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const FORM =
  'Answer with the whole source in one block that begins with ```ts and ends with ```. Its first line is a comment that says in a few words what is new: // idea: …';

function wanted(needs: ContextNeeds): string {
  const { mends, best } = needs;
  if (mends?.source) {
    const fault = `It came to: ${mends.outcome}\n\n${mends.detail ?? ''}`.trim();
    return `# Mend this source\n\n${block(mends.source)}\n\n${fault}\n\nKeep its idea and mend what is wrong.`;
  }
  const said = mends?.detail ? `\n\nOf the last answer: ${mends.detail}` : '';
  const speed = best?.ratio == null ? '' : ` It is ${times(best.ratio)} as fast as the baseline.`;
  return `# Make this source faster\n\n${block(sourceOf(needs))}\n${speed}\n\nTry one new idea that was not tried yet.${said}`;
}

/** «12. 1.31 times (1.28 to 1.34) – idea: …» */
function toldOf({ number, outcome, ratio, low, high, detail, source }: Tried): string {
  const came =
    ratio === null || low === null || high === null
      ? `${outcome}: ${detail?.split('\n')[0] ?? ''}`
      : `${times(ratio)} as fast (${low.toFixed(3)} to ${high.toFixed(3)})`;
  const idea = source?.split('\n')[0]?.startsWith('//') ? ` – ${source.split('\n')[0]}` : '';
  return `${number}. ${`${came}${idea}`.slice(0, MOST_TOLD_CHARS)}`;
}

const times = (ratio: number) => `${ratio.toFixed(3)} times`;

/** Code that has a fence in itself does not end the block. */
const block = (source: string) => `\`\`\`\`ts\n${source.trimEnd()}\n\`\`\`\``;
