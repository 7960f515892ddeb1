import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Command, Option } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type {
  EvaluationAnswerView,
  EvaluationCellView,
  EvaluationDetails,
} from '../../../src-preload/contract/evaluation.ts';
import type { EvaluationScore } from '../../../src-preload/contract/evaluation-scores.ts';
import { terminalJson } from '../../base/foreign-text.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { checkPlace, type TakenTo } from '../terminal/take-file.ts';
import { writePieces } from '../terminal/write-pieces.ts';
import { outcomeText } from './cells-text.ts';
import { ANSWERS, CELLS } from './columns.ts';
import { detailsOf } from './details.ts';
import { evaluationId } from './evaluation-id.ts';
import { SCORES, scoresTable } from './scores.ts';
import { FORMATS, type Format, rowsText } from './table-text.ts';

interface ShowFlags {
  as?: Format;
  out?: string;
  answers?: boolean;
  scores?: boolean;
  force?: boolean;
}

/** `quarry evaluate show`: what came of an evaluation, on the terminal or in a file. */
export function registerShow(evaluate: Command): void {
  evaluate
    .command('show')
    .argument('[id]', 'of «quarry evaluate list» (default: the newest)', evaluationId)
    .description('what came of one')
    .addOption(new Option('--as <format>', 'how it is written down (default: table)').choices(FORMATS))
    .addOption(new Option('--answers', 'each question with its answer, in place of the sums').conflicts('scores'))
    .option('--scores', 'QUASAR’s scores, each with what it is and what it came from, in place of the sums')
    .option('--out <file>', 'into a file')
    .option('--force', 'replace a file that is there')
    .action(runCommand(show));
}

/** @param named the id of one; default: the newest */
export async function show(
  { output, withNode }: CommandContext,
  named: string | undefined,
  flags: ShowFlags,
): Promise<void> {
  const { as = output.json ? 'json' : 'table', answers = false, scores = false, out, force = false } = flags;
  if (output.json && as !== 'json') throw both(as);
  const to = out === undefined ? undefined : { file: resolve(out), force };
  if (to) await checkPlace(to);
  await withNode({}, async (node) => {
    const id = named ?? (await newestOf(node, output));
    if (scores) await writeScores(await node.evaluation.scores({ id }), as, to, output);
    else if (answers) await writePieces(rowsText(as, ANSWERS, answersOf(node, id)), to);
    else await writeCells(await detailsOf(node, id), as, to, output);
    if (to) told(to, output);
  });
}

/** Says which one that is. @throws BAD_REQUEST where there is none */
async function newestOf(node: NodeClient, output: CommandContext['output']): Promise<string> {
  const [newest] = await node.evaluation.list({ limit: 1 });
  if (!newest) throw nothing();
  output.note(`The newest: ${newest.id}`);
  return newest.id;
}

async function writeScores(
  scores: readonly EvaluationScore[],
  as: Format,
  to: TakenTo | undefined,
  { line }: CommandContext['output'],
): Promise<void> {
  if (as === 'table' && !to) line(scoresTable(scores));
  else await writePieces(rowsText(as, SCORES, onePage(scores)), to);
}

async function writeCells(
  details: EvaluationDetails,
  as: Format,
  to: TakenTo | undefined,
  { line }: CommandContext['output'],
): Promise<void> {
  if (as === 'table' && !to) line(outcomeText(details));
  else await writePieces(cellsText(as, details), to);
}

/** With what it is of: a table that lies about for years has to say that by itself. CSV has rows alone. */
async function* cellsText(as: Format, details: EvaluationDetails): AsyncGenerator<string> {
  if (as === 'json') return yield `${terminalJson(details, 2)}\n`;
  if (as === 'table') return yield `${aboutText(details)}\n\n${stripVTControlCharacters(outcomeText(details))}\n`;
  if (as === 'markdown') {
    yield `# Evaluation ${details.id}\n\n${[aboutText(details), details.remark?.text].filter(Boolean).join('\n\n')}\n\n`;
  }
  yield* rowsText<EvaluationCellView>(as, CELLS, onePage(details.cells));
}

function aboutText({ model, sha256, plan, createdAt, done, texts }: EvaluationDetails): string {
  const file = sha256 === null ? '' : ` (SHA-256 ${sha256})`;
  return `${model ?? '–'}${file}, ${new Date(createdAt).toISOString()}, seed ${plan.seed}, ${done} of ${texts} texts`;
}

/** So many at a time. */
const PAGE = 500;

async function* answersOf(node: NodeClient, id: string): AsyncGenerator<readonly EvaluationAnswerView[]> {
  let after: { text: number; question: number } | undefined;
  for (;;) {
    const page = await node.evaluation.answers({ id, limit: PAGE, ...(after && { after }) });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = { text: last.text, question: last.question };
  }
}

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/** The one document with `--json`: where it is. */
function told({ file }: TakenTo, { document, line }: CommandContext['output']): void {
  document({ file });
  line(`Written to ${file}.`);
}

const both = (as: Format) =>
  new QuarryError({ code: 'BAD_REQUEST', message: `It comes as JSON or as ${as}, not as both.`, field: 'as' });

const nothing = () =>
  new QuarryError({ code: 'BAD_REQUEST', message: 'Nothing was evaluated yet.', hint: '«quarry evaluate» begins.' });
