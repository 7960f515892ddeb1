import { join } from 'node:path';
import { ifMissing } from '../../../../base/swallowed.ts';
import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import type { ContextTask } from '../context-task.ts';
import { tooLong } from '../too-long.ts';
import { joined, longestWithin } from './cut-text.ts';
import { HOTPOT_FILE, HOTPOT_POOL_FILE, type HotpotRow, hotpotRows } from './hotpot-rows.ts';
import { indexPublished } from './published-files.ts';
import { drawnRow, opened, type PublishedTasks, type WantedTask } from './published-set.ts';
import { indexRows, type RowIndex } from './row-index.ts';

/** Raised whenever the same row would be asked otherwise. */
const VERSION = '1';
const ANSWER_TOKENS = 32;
/** UTF-16 units a token, about; where it has more, so much more is taken at a time until there is enough: each time, all of it is counted. */
const UNITS_A_TOKEN = 4;
const GROWTH = 1.3;
/** A document that is cut has at least so many units left, its title included. */
const LEAST_CUT = 60;

/**
 * HotpotQA, with as many documents as are wanted: the two that the answer follows from, whole wherever they stand, and around them those of the
 * same question that do not help, then those of others. All of it is shuffled. Where there are no more documents, it is shorter than wanted.
 */
export const HOTPOT_TASKS: PublishedTasks = {
  name: 'hotpotqa-distractor',
  group: 'hotpotqa',
  variants: [''],
  files: [HOTPOT_FILE],
  open: async (folder, signal) => {
    const rows = await indexPublished(join(folder, HOTPOT_FILE), hotpotRows, signal);
    const more = await indexRows(join(folder, HOTPOT_POOL_FILE), hotpotRows, signal).catch(ifMissing);
    const version = `${VERSION}${more ? `.${more.sha256.slice(0, 8)}` : ''}`;
    return opened(rows, { version, templates: 'own' }, async (random, wanted, source) => {
      const { row, id } = await drawnRow(rows, random, wanted.item);
      return { ...(await taskOf(row, more ?? rows, random, wanted)), source: source(id) };
    });
  },
};

interface Document {
  text: string;
  /** Where it stands among the others: by what was drawn for it. */
  place: number;
}

async function taskOf(
  row: HotpotRow,
  pool: RowIndex<HotpotRow>,
  random: SeededRandom,
  { tokens, count }: Pick<WantedTask, 'tokens' | 'count'>,
): Promise<ContextTask> {
  const titles = new Set(row.supporting_facts.map(([title]) => title));
  const placed = (document: HotpotRow['context'][number]) => ({ text: textOf(document), place: random.below(2 ** 32) });
  const gold = row.context.filter(([title]) => titles.has(title)).map(placed);
  const least = await count(joined(asking(row, gold)));
  if (least > tokens) throw tooLong(tokens, least);
  const others = new Distractors(row, pool, random, placed);
  const prompt = (units: number) => joined(asking(row, [...gold, ...others.first(units)]));
  for (let wanted = tokens * UNITS_A_TOKEN; await others.take(wanted); wanted *= GROWTH) {
    if ((await count(prompt(others.units))) > tokens) break;
  }
  const units = await longestWithin(prompt, others.units, tokens, count);
  const all = asking(row, [...gold, ...others.first(units)]);
  const depths = gold.map(({ text }) => all.context.indexOf(text) / all.context.length);
  return {
    ...{ dataset: HOTPOT_TASKS.name, variant: row.type ?? '', context: all.context, prompt: joined(all) },
    ...{ expected: [row.answer], metric: 'f1', answerTokens: ANSWER_TOKENS, depth: Math.min(...depths) },
  };
}

/** Documents that do not help, in the order in which they are taken: of the same question, then of others as they are drawn. */
class Distractors {
  readonly #pool: RowIndex<HotpotRow>;
  readonly #placed: (document: HotpotRow['context'][number]) => Document;
  readonly #known: Set<string>;
  readonly #taken: Document[];
  readonly #order: Iterator<number>;
  /** UTF-16 units of all that were taken. */
  units: number;

  constructor(
    { context, supporting_facts: facts }: HotpotRow,
    pool: RowIndex<HotpotRow>,
    random: SeededRandom,
    placed: (document: HotpotRow['context'][number]) => Document,
  ) {
    const gold = new Set(facts.map(([title]) => title));
    const own = context.filter(([title]) => !gold.has(title));
    this.#taken = random.sample(own, own.length).map(placed);
    this.units = this.#taken.reduce((sum, { text }) => sum + text.length, 0);
    this.#known = new Set(context.map(([title]) => title));
    this.#pool = pool;
    this.#placed = placed;
    this.#order = inDrawnOrder(pool.rows, random);
  }

  /** Takes more, until there are so many units. @returns whether there were as many */
  async take(units: number): Promise<boolean> {
    while (this.units < units) {
      const next = this.#order.next();
      if (next.done) return false;
      this.#takeFrom((await this.#pool.read(next.value)).row);
    }
    return true;
  }

  /** A title is taken only once. */
  #takeFrom({ context }: HotpotRow): void {
    for (const document of context) {
      if (this.#known.has(document[0])) continue;
      this.#known.add(document[0]);
      const taken = this.#placed(document);
      this.#taken.push(taken);
      this.units += taken.text.length;
    }
  }

  /** So much of them, from the first one on; the last is cut after a word, and left out where little of it is left. */
  first(units: number): Document[] {
    const some: Document[] = [];
    let left = units;
    for (const document of this.#taken) {
      if (document.text.length > left) {
        const text = document.text.slice(0, left);
        if (left >= LEAST_CUT) some.push({ ...document, text: text.slice(0, Math.max(0, text.lastIndexOf(' '))) });
        break;
      }
      some.push(document);
      left -= document.text.length;
    }
    return some;
  }
}

/** All numbers below a count, each once. */
function* inDrawnOrder(count: number, random: SeededRandom): Generator<number, undefined> {
  const left = Int32Array.from({ length: count }, (_, index) => index);
  for (let length = count; length > 0; length--) {
    const at = random.below(length);
    yield left[at] as number;
    left[at] = left[length - 1] as number;
  }
  return undefined;
}

const textOf = ([title, sentences]: HotpotRow['context'][number]) =>
  `Title: ${title}\n${sentences.map((sentence) => sentence.trim()).join(' ')}`;

function asking({ question }: HotpotRow, documents: readonly Document[]) {
  const ordered = documents.toSorted((a, b) => a.place - b.place);
  return {
    before: '',
    context: ordered.map(({ text }) => text).join('\n\n'),
    after: `\n\nThe answer to this question follows from two of the documents above together. Reply with the answer alone, in as few words as it takes.\nQuestion: ${question}\nAnswer:`,
  };
}
