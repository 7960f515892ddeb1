import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { EvaluationFetchEvent, EvaluationFile } from '../../../src-preload/contract/evaluation.ts';
import { sizeText } from '../../../src-preload/contract/sizes.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { counted, errorText, type Output, table } from '../terminal/output.ts';
import { Progress } from '../terminal/progress.ts';

const HELP = `
A data set has the name of the suite that is asked out of it. «longbench» is a group and stands for all of its data sets:
they come in one zip. Interrupted, by ^C or worse, the same command goes on where it was. Files that you have already
belong into the folder «texts» of the data folder, by their names.`;

/** `quarry evaluate files` and `fetch`: the files of published data sets. */
export function registerFiles(evaluate: Command): void {
  evaluate
    .command('files')
    .description('the files of published data sets, and which are here')
    .action(runCommand(files));
  evaluate
    .command('fetch [data-sets...]')
    .description('fetch the files of data sets (default: of all of them)')
    .option('--all', 'those too that few want: HotpotQA’s for training, which is large, and GovReport’s other parts')
    .addHelpText('after', HELP)
    .action(runCommand(fetch));
}

async function files({ output, withNode }: CommandContext): Promise<void> {
  await withNode({}, async (node) => {
    const all = await node.evaluation.files();
    output.document(all);
    const rows = all.map(({ suite, file, state, bytes, required, address }) => [
      ...[suite, file, STATES[state], bytes === null ? '–' : sizeText(bytes), required ? 'yes' : 'no', address],
    ]);
    output.line(table(['DATA SET', 'FILE', 'HERE', 'SIZE', 'NEEDED', 'FROM'], rows));
  });
}

const STATES: Record<EvaluationFile['state'], string> = { here: 'yes', begun: 'in part', missing: 'no' };

async function fetch(
  { output, signal, withNode }: CommandContext,
  suites: string[],
  { all = false }: { all?: boolean },
): Promise<void> {
  await withNode({}, async (node) => {
    const told = new Fetched(output);
    try {
      for await (const event of await node.evaluation.fetch({ suites, all }, { signal })) told.take(event);
    } catch (error) {
      if (signal.aborted)
        output.note(`To go on: ${['quarry evaluate fetch', ...suites, ...(all ? ['--all'] : [])].join(' ')}`);
      throw error;
    } finally {
      told.end();
    }
    told.tell();
  });
}

/** What comes of the files, one after the other. */
class Fetched {
  readonly #output: Output;
  #progress: { of: string; shown: Progress } | undefined;
  readonly #fetched: { file: string; bytes: number }[] = [];
  readonly #failed: { file: string; error: QuarryError }[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  take(event: EvaluationFetchEvent): void {
    if (event.type === 'progress') {
      this.#show(event);
      return;
    }
    this.end();
    if (event.type === 'fetched') {
      this.#fetched.push({ file: event.file, bytes: event.bytes });
      this.#output.line(`${event.file}: ${sizeText(event.bytes)}`);
    } else {
      const error = new QuarryError(event.error);
      this.#failed.push({ file: event.file, error });
      this.#output.note(errorText(error));
    }
  }

  /** Leaves the terminal's line as it is. */
  end(): void {
    this.#progress?.shown.end();
    this.#progress = undefined;
  }

  tell(): void {
    this.#output.document({ fetched: this.#fetched, failed: this.#failed });
    if (this.#failed.length > 0) process.exitCode = 1;
    else if (this.#fetched.length === 0) this.#output.line('All of them are here.');
    else this.#output.line(`${counted(this.#fetched.length, 'file')} fetched.`);
  }

  #show({ file, problem, ...step }: Extract<EvaluationFetchEvent, { type: 'progress' }>): void {
    if (this.#progress?.of !== file) {
      this.end();
      this.#progress = { of: file, shown: new Progress(file, this.#output) };
    }
    this.#progress.shown.show({ ...step, ...(problem && { note: problem.message }) });
  }
}
