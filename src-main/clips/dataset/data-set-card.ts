import { LICENCES, SUBMISSION_KINDS, type SubmissionKind } from '../../../src-preload/contract/data-names.ts';
import type { StoredShard } from '../../store/clips/clip-shards.ts';
import { COLUMNS, type Column } from './shards/columns.ts';
import { addFacts, type Counts, type ShardFacts } from './shards/shard-facts.ts';
import { CONFIGS } from './shards/shard-names.ts';

/** What the card says beside what is in the files. */
export interface CardNotes {
  /** Thresholds by which clips were taken, each with what it is of. */
  thresholds: readonly { name: string; value: number }[];
}

/**
 * The data set's card as the hub reads it: `README.md` with YAML on top. Of the same files it is always the same text.
 * @param shards without those that were replaced
 */
export function dataSetCard(shards: readonly StoredShard[], { thresholds }: CardNotes): string {
  const kinds = SUBMISSION_KINDS.map((kind) => summed(kind, shards)).filter(({ rows }) => rows > 0);
  const facts = addFacts(kinds.map((kind) => kind.facts));
  const rows = kinds.reduce((sum, kind) => sum + kind.rows, 0);
  const parts = [
    frontMatter(kinds, facts, rows),
    `# Clips of videos with descriptions\n\n${INTRODUCTION}`,
    `## What is in it\n\n${kinds.map(amount).join('\n')}`,
    counted('By licence', facts.licences),
    counted('By source', facts.sources),
    counted('Who wrote descriptions', facts.describers),
    `## Attribution\n\n${ATTRIBUTION}`,
    `## How it was made\n\n${MADE}`,
    counted('Models of the embeddings', facts.spaces, 'Cosines are only of use between rows of one space.'),
    ...(thresholds.length > 0
      ? [
          `### Thresholds\n\n${table(
            ['Threshold', 'Value'],
            thresholds.map(({ name, value }) => [name, value]),
          )}`,
        ]
      : []),
    ...kinds.map(({ kind }) => `## Fields: ${CONFIGS[kind]}\n\n${fields(kind)}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

interface Summed {
  kind: SubmissionKind;
  rows: number;
  facts: ShardFacts;
}

function summed(kind: SubmissionKind, shards: readonly StoredShard[]): Summed {
  const some = shards.filter((shard) => shard.kind === kind);
  const facts = addFacts(some.map((shard) => JSON.parse(shard.facts) as ShardFacts));
  return { kind, facts, rows: some.reduce((sum, shard) => sum + shard.rows, 0) };
}

const INTRODUCTION = `Short clips of videos, each with a description, with embeddings of what is seen, heard and described, and with where it is from. Made with Quarry
from the maker’s own files and from openly licensed videos. The videos themselves are not in it; sounds have their samples.`;

const ATTRIBUTION = `Every row names its author, its licence and its page in \`attribution\`, \`author\`, \`licence\`, \`licence_url\` and \`page\`. **Whoever uses a row has to name them as
\`attribution\` says, and keep to that row’s licence**: \`by\` and \`bySa\` want to be named, \`bySa\` and \`byNcSa\` want the same licence for what is made of them, \`byNc\` and \`byNcSa\` allow no commerce.
Rows of videos that were taken down are removed, and the files with them written anew.`;

const MADE = `Videos were found by topic in sources that say under what licence each may be used; only licences that allow derivatives were taken. They were cut into clips of 5 to 120
seconds by scenes and speech, described (\`described_by\`: the title, a model, speech, or a person), and turned into embeddings by the models below. Scores are cosines of these embeddings.`;

const amount = ({ kind, rows, facts }: Summed) =>
  `- \`${CONFIGS[kind]}\`: ${rows} ${kind === 'videos' ? 'clips' : 'sounds'}, ${(facts.seconds / 3_600).toFixed(1)} hours`;

function counted(title: string, counts: Counts, note?: string): string {
  const rows = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  const what =
    rows.length > 0
      ? table(
          ['', 'Rows'],
          rows.map(([name, count]) => [`\`${name.replace(/[`|\s]/g, ' ')}\``, count]),
        )
      : 'None.';
  return `### ${title}\n\n${note ? `${note}\n\n` : ''}${what}`;
}

function fields(kind: SubmissionKind): string {
  const columns: readonly Omit<Column<never>, 'of'>[] = COLUMNS[kind];
  const rows = columns.map(({ name, type, always, about }) => [`\`${name}\``, type, always ? 'no' : 'yes', about]);
  return table(['Field', 'Type', 'May be null', 'What it is'], rows);
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function frontMatter(kinds: readonly Summed[], { licences }: ShardFacts, rows: number): string {
  return [
    '---',
    'pretty_name: Clips of videos with descriptions',
    ...licenceLines(licences),
    `size_categories:\n- ${sizeCategory(rows)}`,
    'task_categories:\n- video-classification\n- feature-extraction',
    'tags:\n- video\n- embeddings\n- quarry',
    'configs:',
    ...kinds.flatMap(({ kind }) => [
      `- config_name: ${CONFIGS[kind]}`,
      ...(kind === 'videos' ? ['  default: true'] : []),
      `  data_files:\n  - split: train\n    path: ${CONFIGS[kind]}/train/*/*.parquet`,
    ]),
    '---',
  ].join('\n');
}

/** The hub has a name for all of Creative Commons together, and for what is mixed only «other». */
function licenceLines(licences: Counts): string[] {
  const found = LICENCES.filter((licence) => (licences[licence] ?? 0) > 0);
  if (found.length > 0 && found.every((licence) => licence.startsWith('by'))) return ['license: cc'];
  return ['license: other', 'license_name: see-each-row', 'license_link: README.md'];
}

/** As the hub names them. */
const SIZES = ['1K', '10K', '100K', '1M', '10M', '100M'];

function sizeCategory(rows: number): string {
  const at = SIZES.findIndex((_, power) => rows < 1_000 * 10 ** power);
  if (at === 0) return 'n<1K';
  return at < 0 ? 'n>100M' : `${SIZES[at - 1]}<n<${SIZES[at]}`;
}
