import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { withoutControls } from '../../base/foreign-text.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { checkPlace, makeFile, type TakenTo } from '../terminal/take-file.ts';
import { writePieces } from '../terminal/write-pieces.ts';
import { attemptsTable, diffText, progressText } from './attempts-text.ts';
import { detailsOf, runId } from './run-id.ts';

interface ShowFlags {
  source?: boolean;
  attempt?: number;
}

interface ExportFlags {
  attempt?: number;
  force?: boolean;
}

/** `quarry optimise show` and `export`: what came of a search. */
export function registerShow(optimise: Command): void {
  optimise
    .command('show')
    .argument('<id>', 'of «quarry optimise list»', runId)
    .description('the attempts of one, and in what the best differs from the start')
    .option('--source', 'only the source: of the best, or of --attempt')
    .option('--attempt <n>', 'the source of this attempt', integer(0, 1_000_000))
    .action(runCommand(show));
  optimise
    .command('export')
    .argument('<id>', 'of «quarry optimise list»', runId)
    .argument('<file>', 'FILE.ts gets the source, FILE.wasm beside it the module')
    .description('the best kernel as files')
    .option('--attempt <n>', 'this attempt instead', integer(0, 1_000_000))
    .option('--force', 'replace files that are there')
    .action(runCommand(exportKernel));
}

async function show({ output, withNode }: CommandContext, id: string, { source, attempt }: ShowFlags): Promise<void> {
  await withNode({}, async (node) => {
    if (source || attempt !== undefined) {
      const text =
        attempt === undefined
          ? (await node.optimiser.best({ id })).source
          : await node.optimiser.source({ id, number: attempt });
      if (text === null) throw noSource();
      output.document({ id, source: text });
      return output.line(withoutControls(text).trimEnd());
    }
    const [details, best] = [await detailsOf(node, id), await node.optimiser.best({ id })];
    output.document({ ...details, diff: best.diff });
    output.line(progressText(details));
    if (details.list.length > 0) output.line(`\n${attemptsTable(details)}`);
    if (best.diff.length > 0) output.line(`\nThe best against the start:\n${diffText(best.diff)}`);
    if (details.error) output.note(details.error.message);
  });
}

async function exportKernel(
  { output, withNode, signal }: CommandContext,
  id: string,
  file: string,
  { attempt, force = false }: ExportFlags,
): Promise<void> {
  const stem = resolve(file).replace(/\.(ts|wasm)$/, '');
  const places = { ts: { file: `${stem}.ts`, force }, wasm: { file: `${stem}.wasm`, force } };
  await checkPlace(places.ts);
  await checkPlace(places.wasm);
  await withNode({}, async (node) => {
    const { number, source, wasm } = await node.optimiser.module(
      { id, ...(attempt !== undefined && { number: attempt }) },
      { signal },
    );
    await writePieces(onePiece(source), places.ts);
    await writeBytes(Buffer.from(wasm, 'base64'), places.wasm);
    output.document({ number, source: places.ts.file, module: places.wasm.file });
    output.line(`Attempt ${number} is in ${places.ts.file} and ${places.wasm.file}.`);
  });
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}

async function writeBytes(bytes: Uint8Array, to: TakenTo): Promise<void> {
  await makeFile(to, (temporary) => writeFile(temporary, bytes, { flag: 'wx', flush: true }));
}

const noSource = () =>
  new QuarryError({
    code: 'BAD_REQUEST',
    message: 'There is no source: nothing was measured, or the model gave no code.',
  });
