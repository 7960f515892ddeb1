import { z } from 'zod';
import { boundedArray } from '../../../../../src-preload/contract/bounded.ts';
import { say } from '../../../../../src-preload/contract/saying.ts';
import type { RowFormat } from './row-index.ts';
import { maybe, publishedText, publishedWords, rowName } from './row-texts.ts';

export const HOTPOT_FILE = 'hotpot_dev_distractor_v1.json';
/** Where more documents to lead astray come from, if it is there. */
export const HOTPOT_POOL_FILE = 'hotpot_train_v1.1.json';

/** Documents of a question, sentences of a document, and their UTF-16 units. HotpotQA has 10 documents of a paragraph each. */
const MOST_DOCUMENTS = 200;
const MOST_SENTENCES = 500;
const MOST_SENTENCE = 20_000;
const MOST_TITLE = 500;

const row = z.object({
  _id: rowName,
  question: publishedWords(5_000),
  answer: publishedWords(2_000),
  type: maybe(z.enum(['bridge', 'comparison'])),
  supporting_facts: boundedArray(z.tuple([publishedWords(MOST_TITLE), z.int()]), MOST_SENTENCES, 1),
  context: boundedArray(
    z.tuple([publishedWords(MOST_TITLE), boundedArray(publishedText(MOST_SENTENCE), MOST_SENTENCES)]),
    MOST_DOCUMENTS,
    1,
  ),
});
export type HotpotRow = z.output<typeof row>;

/** The rows of HotpotQA's files. Which sentence of a document supports the answer is off by one in some of them, and is not looked at. */
export const hotpotRows: RowFormat<HotpotRow> = {
  layout: 'list',
  row,
  id: ({ _id: id }) => id,
  fault: ({ supporting_facts: facts, context }) => {
    const titles = new Set(context.map(([title]) => title));
    const missing = facts.find(([title]) => !titles.has(title));
    return missing && say('contextFiles.noDocument', { title: missing[0].slice(0, 100) });
  },
};
