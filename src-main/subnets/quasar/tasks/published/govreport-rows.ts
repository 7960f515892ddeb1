import { z } from 'zod';
import type { RowFormat } from './row-index.ts';
import { MOST_CONTEXT, maybe, publishedText, publishedWords, rowName } from './row-texts.ts';

export const GOVREPORT_SPLITS = ['test', 'validation', 'train'] as const;
type GovReportSplit = (typeof GOVREPORT_SPLITS)[number];
/** What is asked out of a split is called so: `govreport` for the one that others report on. */
export const govReportName = (split: GovReportSplit) => (split === 'test' ? 'govreport' : `govreport-${split}`);
export const govReportFile = (split: GovReportSplit) => `govreport_${split}.jsonl`;

const row = z.object({
  id: rowName,
  report: publishedWords(MOST_CONTEXT),
  summary: publishedWords(200_000),
  title: maybe(publishedText(2_000)),
});
export type GovReportRow = z.output<typeof row>;

/** Reports of public authorities, with the summaries that their authors wrote. */
export const govReportRows: RowFormat<GovReportRow> = { layout: 'lines', row, id: ({ id }) => id };
