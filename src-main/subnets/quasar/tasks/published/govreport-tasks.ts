import { join } from 'node:path';
import type { ContextTask } from '../context-task.ts';
import { cutMiddle, joined } from './cut-text.ts';
import { GOVREPORT_SPLITS, type GovReportRow, govReportFile, govReportName, govReportRows } from './govreport-rows.ts';
import { indexPublished } from './published-files.ts';
import { drawnRow, opened, type PublishedTasks, type WantedTask } from './published-set.ts';
import { sentencesOf } from './sentences.ts';

/** Raised whenever the same row would be asked otherwise. */
const VERSION = '1';
const MOST_KEY_POINTS = 5;

/** A sort of summary: what is asked for, and what of the authors' own one it is compared with. */
interface Variant {
  ask: string;
  expected(summary: string): string;
  answerTokens: number;
}

const VARIANTS = {
  full: {
    ask: 'Summarise this report on about one page: its occasion, what was found, and what is recommended.',
    expected: (summary) => summary.trim(),
    answerTokens: 512,
  },
  executive: {
    ask: 'Summarise this report for somebody who has one minute: only what is most important, in a few sentences.',
    expected: (summary) => firstHalf(sentencesOf(summary)).join(' '),
    answerTokens: 256,
  },
  'key-points': {
    ask: `List the most important points of this report, at most ${MOST_KEY_POINTS}, each in one line that begins with a hyphen.`,
    expected: (summary) =>
      sentencesOf(summary)
        .slice(0, MOST_KEY_POINTS)
        .map((sentence) => `- ${sentence}`)
        .join('\n'),
    answerTokens: 256,
  },
} as const satisfies Record<string, Variant>;
type VariantName = keyof typeof VARIANTS;
const VARIANT_NAMES = Object.keys(VARIANTS) as [VariantName, ...VariantName[]];

/** GovReport, by its parts. What is asked about one report begins alike, whatever is asked. */
export const GOVREPORT_TASKS: readonly PublishedTasks[] = GOVREPORT_SPLITS.map((split) => {
  const name = govReportName(split);
  return {
    name,
    group: 'govreport',
    variants: VARIANT_NAMES,
    files: [govReportFile(split)],
    open: async (folder, signal) => {
      const rows = await indexPublished(join(folder, govReportFile(split)), govReportRows, signal);
      return opened(rows, { version: VERSION, templates: 'own' }, async (random, wanted, source) => {
        const { row, id } = await drawnRow(rows, random, wanted.item);
        const variant = (wanted.variant ?? random.pick(VARIANT_NAMES)) as VariantName;
        return { dataset: name, ...(await taskOf(row, variant, wanted)), source: source(id) };
      });
    },
  };
});

async function taskOf(
  { report, summary, title }: GovReportRow,
  name: VariantName,
  { tokens, count }: Pick<WantedTask, 'tokens' | 'count'>,
): Promise<Omit<ContextTask, 'dataset'>> {
  const variant: Variant = VARIANTS[name];
  const before = title?.trim() ? `${title.trim()}\n\n` : '';
  const after = `\n\n${variant.ask}${before && `\nIts title: ${title?.trim()}`}\nSummary:`;
  const asked = await cutMiddle({ before, context: report, after }, tokens, count);
  return {
    ...{ variant: name, context: before + asked.context, prompt: joined(asked) },
    ...{ expected: [variant.expected(summary)], metric: 'rouge-l', answerTokens: variant.answerTokens },
  };
}

/** The middle one of an odd number counts to it. */
const firstHalf = (sentences: readonly string[]) => sentences.slice(0, Math.ceil(sentences.length / 2));
