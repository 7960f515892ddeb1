import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { sentence } from '../../../src-preload/contract/saying.ts';
import { TO_BEAT } from '../../subnets/quasar/competition/rules/terms.ts';
import { baselineKernel } from '../../subnets/quasar/kernels/baseline.ts';
import { checkKernel, judgeKernel, type KernelRefusal } from '../../subnets/quasar/kernels/judge-kernel.ts';
import { LEAST_TOKENS, MODULE_BYTES, MOST_TOKENS, USUAL_TOKENS } from '../../subnets/quasar/kernels/limits.ts';
import { integer } from '../terminal/arguments.ts';
import { type CommandContext, runCommand } from '../terminal/command.ts';
import { givenFile } from '../terminal/given-file.ts';
import type { Output } from '../terminal/output.ts';

interface Flags {
  seed?: string;
}

interface MeasureFlags extends Flags {
  tokens: number;
  beside?: string;
}

const HELP = `
A kernel is a WebAssembly module that computes one step of gated linear attention: docs/kernels.md says what exactly,
and how it is judged. No node is needed for that, and no network. The same seed draws the same again.`;

/** `quarry kernel`: a kernel of one’s own, judged as validators judge it. */
export function registerKernel(program: Command): void {
  const kernel = program
    .command('kernel')
    .description('a kernel for a competition, judged here as a validator judges it')
    .addHelpText('after', HELP);
  kernel
    .command('check')
    .argument('<file>', 'a WebAssembly module')
    .option('--seed <hex>', 'draws what it is tried with (64 hex; default: another one each time)')
    .description('whether it computes what it is to compute; exit code 1 where it does not')
    .action(runCommand(check));
  kernel
    .command('measure')
    .argument('<file>', 'a WebAssembly module')
    .option('--tokens <n>', 'of the run that is measured', integer(LEAST_TOKENS, MOST_TOKENS), USUAL_TOKENS)
    .option('--beside <file>', 'another kernel that it is measured beside (default: the one that comes with Quarry)')
    .option('--seed <hex>', 'draws what it is tried with (64 hex; default: another one each time)')
    .description('the same, and how fast it is beside another kernel')
    .action(runCommand(measure));
}

async function check({ output, signal }: CommandContext, file: string, { seed = drawn() }: Flags): Promise<void> {
  const verdict = await checkKernel(await moduleIn(file), { seed, signal });
  output.document({ seed, ...inWords(verdict) });
  if (!verdict.right) return refused(verdict, output);
  const part = (100 * verdict.worstError).toFixed(1);
  output.line(`It is right in all ${verdict.cases} cases; its largest error is ${part} % of what is tolerated.`);
}

async function measure(
  { output, signal }: CommandContext,
  file: string,
  { seed = drawn(), tokens, beside }: MeasureFlags,
): Promise<void> {
  const baseline = beside === undefined ? await baselineKernel() : await rightIn(beside, { seed, signal });
  const options = { baseline, seed, tokens, signal };
  const verdict = await judgeKernel(await moduleIn(file), options);
  output.document({ seed, ...inWords(verdict) });
  if (!verdict.right) return refused(verdict, output);
  const { median, low, high, pairs } = verdict.ratio;
  output.line(
    `It is right, and ${median.toFixed(3)} times as fast as the baseline (95 %: ${low.toFixed(3)} to ${high.toFixed(3)}, ${pairs} pairs).`,
  );
  const speed = (each: number) => Math.round(each).toLocaleString('en');
  output.line(
    `Tokens a second: ${speed(verdict.tokensPerSecond)}; the baseline ${speed(verdict.baselineTokensPerSecond)}.`,
  );
  if (low <= TO_BEAT) output.line(`It would have no place: all of the interval has to be above ${TO_BEAT}.`);
}

/** A kernel that is wrong is nothing to measure beside. */
async function rightIn(file: string, options: { seed: string; signal: AbortSignal }): Promise<Uint8Array> {
  const kernel = await moduleIn(file);
  const verdict = await checkKernel(kernel, options);
  if (verdict.right) return kernel;
  const message = `${file} is nothing to measure beside. ${sentence(verdict.reason)}`;
  throw new QuarryError({ code: 'BAD_REQUEST', message, field: 'beside' });
}

function refused({ fault, reason }: KernelRefusal, output: Output): void {
  process.exitCode = 1;
  output.line(`It is refused (${fault}). ${sentence(reason)}`);
}

/** The reason as a sentence: whoever reads the document need not know sayings. */
const inWords = <Verdict extends { right: boolean }>(verdict: Verdict | KernelRefusal) =>
  'reason' in verdict ? { ...verdict, reason: sentence(verdict.reason) } : verdict;

const drawn = () => randomBytes(32).toString('hex');

/** @throws BAD_REQUEST for a file that cannot be read, or is larger than a module may be */
async function moduleIn(file: string): Promise<Uint8Array> {
  return await givenFile(
    file,
    MODULE_BYTES,
    `«${file}» is larger than the ${MODULE_BYTES} bytes that a module may have.`,
  );
}
