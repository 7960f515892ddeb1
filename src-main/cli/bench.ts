import { type Command, Option } from 'commander';
import type { BenchDataOptions } from '../bench/data/data.ts';
import type { BenchEvent, BenchRow } from '../bench/row.ts';
import type { MarketAttack } from '../bench/swarm/gang.ts';
import { lengthsOf } from './evaluation/length-list.ts';
import { integer, integers } from './terminal/arguments.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';
import { interrupted } from './terminal/interruption.ts';
import { table } from './terminal/output.ts';

interface BenchFlags {
  runs?: number;
  model?: string;
}

interface EvaluateFlags extends BenchFlags {
  llamaBench?: string;
  lengths?: number[];
  answers: number;
  only?: 'harness' | 'reading' | 'answers';
}

const EVALUATE_HELP = `
  harness   tokens a second of questions about long texts, with all that an evaluation does beside asking (texts made and
            counted, answers judged and written down) ÷ the same prompts to the same engine. Goal: 0.97 or more.
  reading   tokens a second of prompts that no cache has, the engine ÷ llama-bench of the same llama.cpp, all threads of the
            processor, no graphics card. Each run reads each length twice: 16k tokens take minutes on a slow machine.
            Lengths that the model is not made for are left out.
  answers   seconds until an evaluation of a million answers is summed up by kind, length and depth. Goal: less than one.

Examples:
  quarry bench evaluate --only answers
  quarry bench evaluate --only reading --lengths 4k --llama-bench ~/llama.cpp/build/bin/llama-bench --json`;

interface InferenceFlags {
  llamaServer?: string;
  models?: string[];
  runs: number;
  tokens?: number;
  matrix?: true;
  drafting?: boolean;
  draft?: string;
  prompts?: number[];
  streams?: number[];
  threads?: number[];
  only?: 'streams' | 'newcomer' | 'swap' | 'instructions';
}

const INFERENCE_HELP = `
  Measured are streams, newcomer and swap, or with --only one of these:
  streams       tokens a second of 1, 4 and 8 answers at once, and of a chat of 8 turns.
  newcomer      how long a newcomer waits beside four answers and a long prompt.
  swap          how long one model takes to replace another ÷ loading it alone.
  instructions  the first token after a restart, with long instructions on the disk ÷ without.

  llama-server of the same version is built from node_modules/node-llama-cpp/llama/gitRelease.bundle.
  A raw loop does the least there is to do: batches of the fastest size and a token for each, no requests and no text.

Examples:
  quarry bench inference
  quarry bench inference --llama-server ~/llama.cpp/build/bin/llama-server --only streams
  quarry bench inference --draft qwen3-0.6b.gguf --models qwen3-8b.gguf
  quarry bench inference --matrix --models q4_0.gguf q8_0.gguf --prompts 128,2048 --runs 3 --json`;

interface SwarmFlags {
  workers: number;
  requests?: number;
  seed: number;
  seeds: number;
  attack?: 'liars' | 'theft' | MarketAttack;
}

/** `quarry bench`: every figure beside its peer, in the same run. */
export function registerBench(program: Command): void {
  const bench = program
    .command('bench')
    .description('measure this machine and this build, each figure beside its peer');
  bench
    .command('inference')
    .description('how fast the engine answers, beside llama-server and a raw loop over the same llama.cpp')
    .option('--llama-server <path>', 'the peer’s program (default: the one on PATH, or none)')
    .option(
      '--models <files...>',
      'GGUF files: all for the matrix, two for the swap, else the first (default: random weights in SmolLM-135M’s shape)',
    )
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .option('--tokens <n>', 'tokens to generate a request', integer(8, 1_000))
    .option('--threads <n>', 'of all sides, with commas (default: 1, and all of the processor)', integers(1, 256))
    .option('--matrix', 'every model with each number of threads, requests at once, and length of prompts')
    .option('--prompts <tokens>', 'of the matrix, with commas: 128,2048 (default)', integers(16, 100_000))
    .option('--streams <n>', 'requests at once of the matrix, with commas: 1,2,4,8 (default)', integers(1, 64))
    .addOption(
      new Option('--only <what>', 'measure only this').choices(['streams', 'newcomer', 'swap', 'instructions']),
    )
    .option('--drafting', 'answers with a draft model ÷ without, for 1 and 2 streams')
    .option(
      '--draft <file>',
      'the same with this one for the first of --models (default: both are made; it guesses all right)',
    )
    .addHelpText('after', INFERENCE_HELP)
    .action(
      runCommand(async (context, { matrix, drafting, only, ...flags }: InferenceFlags) => {
        const { benchInference } = await import('../bench/inference/inference.ts');
        const wanted = matrix ? 'matrix' : drafting || flags.draft ? 'drafting' : only;
        await report(context, benchInference({ ...flags, only: wanted, signal: context.signal }));
      }),
    );
  bench
    .command('learn')
    .description(
      'serving with adapters ÷ without, two in turns, what keeping answers costs; and a step of learning ÷ PyTorch',
    )
    .option(
      '--model <file>',
      'a GGUF file (default: random weights in SmolLM-135M’s shape; of learning a tiny one, too)',
    )
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .addOption(new Option('--only <what>', 'one of the two').choices(['serving', 'training']))
    .action(
      runCommand(async (context, flags: BenchFlags & { only?: 'serving' | 'training' }) => {
        const { benchLearn } = await import('../bench/learning/learn.ts');
        await report(context, benchLearn(flags));
      }),
    );
  bench
    .command('evaluate')
    .description(
      'an evaluation’s questions ÷ the same prompts asked of the engine alone; how fast long prompts are read ÷ llama-bench; and a million answers summed up',
    )
    .option('--model <file>', 'a GGUF file (default: random weights in SmolLM-135M’s shape, made for 32k tokens)')
    .option('--llama-bench <path>', 'the peer’s program in reading (default: node-llama-cpp’s own loop)')
    .option('--lengths <tokens>', 'of the prompts that are read, with commas: 4k,16k,64k', lengthsOf)
    .option('--answers <n>', 'answers that are summed up', integer(1, 100_000_000), 1_000_000)
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .addOption(new Option('--only <what>', 'one of the three').choices(['harness', 'reading', 'answers']))
    .addHelpText('after', EVALUATE_HELP)
    .action(
      runCommand(async (context, flags: EvaluateFlags) => {
        const { benchEvaluate } = await import('../bench/evaluation/evaluate.ts');
        await report(context, benchEvaluate(flags));
      }),
    );
  bench
    .command('memory')
    .description(
      'the memory that is estimated for a model ÷ what its engine takes, on the processor: several contexts, caches and requests at once (Linux)',
    )
    .option('--model <file>', 'a GGUF file (default: the built-in model)')
    .option('--runs <n>', 'engines started for each', integer(1, 100), 1)
    .action(
      runCommand(async (context, flags: BenchFlags) => {
        const { benchMemory } = await import('../bench/memory.ts');
        await report(context, benchMemory(flags));
      }),
    );
  bench
    .command('mesh')
    .description('through the mesh ÷ straight from the engine: 1, 4 and 8 clients')
    .option('--model <file>', 'a GGUF file (default: random weights in SmolLM-135M’s shape)')
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .action(
      runCommand(async (context, flags: BenchFlags) => {
        const { benchMesh } = await import('../bench/mesh.ts');
        await report(context, benchMesh(flags));
      }),
    );
  bench
    .command('download')
    .description('a model over HTTP ÷ curl, and from 1 and 4 peers ÷ a bare Hypercore')
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .addOption(new Option('--only <way>', 'one of the two').choices(['http', 'peers']))
    .action(
      runCommand(async (context, flags: BenchFlags & { only?: 'http' | 'peers' }) => {
        const { benchDownload } = await import('../bench/sharing/download.ts');
        await report(context, benchDownload(flags));
      }),
    );
  bench
    .command('queue')
    .description(
      'queue operations per second with 100, 10,000 and 1,000,000 waiting, and a client’s choice among 1,000 workers',
    )
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .action(
      runCommand(async (context, flags: BenchFlags) => {
        const { benchQueue } = await import('../bench/queue.ts');
        await report(context, benchQueue(flags));
      }),
    );
  bench
    .command('validator')
    .description('challenges posed and judged ÷ the same in plain Python, and how long weights take')
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .option('--results <n>', 'results that weights are made of', integer(1, 10_000_000), 1_000_000)
    .action(
      runCommand(async (context, flags: BenchFlags & { results: number }) => {
        const { benchValidator } = await import('../bench/validator.ts');
        await report(context, benchValidator(flags));
      }),
    );
  bench
    .command('axon')
    .description('signed requests of Bittensor that are answered ÷ the official axon, with 1,000 hotkeys')
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .option('--requests <n>', 'requests of a run of ours', integer(100, 1_000_000), 4_000)
    .action(
      runCommand(async (context, flags: BenchFlags & { requests: number }) => {
        const { benchAxon } = await import('../bench/axon/axon.ts');
        await report(context, benchAxon(flags));
      }),
    );
  bench
    .command('competition')
    .description('kernels judged in a minute, the same kernel beside itself, and requests ÷ a bare Fastify')
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .option('--requests <n>', 'requests of a run', integer(100, 100_000), 2_000)
    .addOption(new Option('--only <what>', 'one of the two').choices(['judging', 'door']))
    .action(
      runCommand(async (context, flags: BenchFlags & { requests: number; only?: 'judging' | 'door' }) => {
        const { benchCompetition } = await import('../bench/competition/competition.ts');
        await report(context, benchCompetition({ ...flags, signal: context.signal }));
      }),
    );
  bench
    .command('data')
    .description(
      'the nearest of many vectors, beside a plain scan and sqlite-vec; clips of videos a minute: pictures, sound and a copy of each ÷ bare ffmpeg told to do the same in one call; and all of mining, with what takes its time',
    )
    .option('--videos <files...>', 'one clip is made of each (default: two that are made for it)')
    .option('--folder <path>', 'of mining: all videos in it become clips (default: twelve that are made for it)')
    .option('--models <path>', 'of mining: a folder with models of clips, each a folder (default: without models)')
    .option('--vectors <n>', 'of 512 numbers each, 2 kB (default: 100,000)', integer(1_000, 10_000_000))
    .option('--runs <n>', 'runs of each side', integer(1, 100), 5)
    .addOption(new Option('--only <what>', 'one of the three').choices(['media', 'mining', 'index']))
    .action(
      runCommand(async (context, flags: Omit<BenchDataOptions, 'signal'>) => {
        const { benchData } = await import('../bench/data/data.ts');
        await report(context, benchData({ ...flags, signal: context.signal }));
      }),
    );
  bench
    .command('ledger')
    .description('a long ledger: its start, its proof after a day’s growth, and what achievements are shown by')
    .option('--entries <n>', 'entries that were proven before; some 3 kB each', integer(1_000, 100_000_000), 1_000_000)
    .option('--every <n>', 'one in every n is a receipt, the others take half a kB', integer(1, 1_000), 1)
    .option('--day <n>', 'receipts of the day', integer(1, 1_000_000), 25_000)
    .option('--runs <n>', 'runs of what is quick', integer(1, 100), 5)
    .action(
      runCommand(async (context, flags: { entries: number; every: number; day: number; runs: number }) => {
        const { benchLedger } = await import('../bench/ledger.ts');
        await report(context, benchLedger(flags));
      }),
    );
  bench
    .command('hostile')
    .description('a node with a thousand hostile peers beside it: how soon its screens answer, and who asks honestly')
    .option('--peers <n>', 'hostile peers', integer(1, 10_000), 1_000)
    .option('--seconds <n>', 'length of a run', integer(1, 3_600), 15)
    .option('--runs <n>', 'runs', integer(1, 100), 3)
    .action(
      runCommand(async (context, flags: BenchFlags & { peers?: number; seconds?: number }) => {
        const { benchHostile } = await import('../bench/hostile.ts');
        await report(context, benchHostile(flags));
      }),
    );
  bench
    .command('soak')
    .description(
      'two nodes that ask each other for an hour, with peers that come and go: memory, and how late timers are',
    )
    .option('--minutes <n>', 'how long', integer(1, 10_000), 60)
    .option('--programs <n>', 'programs that ask at each node', integer(1, 100), 4)
    .action(
      runCommand(async (context, flags: { minutes: number; programs: number }) => {
        const { benchSoak } = await import('../bench/soak.ts');
        await report(context, benchSoak({ ...flags, signal: context.signal }));
      }),
    );
  bench
    .command('swarm')
    .description('simulated workers and requests in virtual time through the real selection, queue and credits')
    .option('--workers <n>', 'simulated workers', integer(1, 100_000), 1_000)
    .option(
      '--requests <n>',
      'simulated requests (default: 100,000; 150 for each worker where others come to steal)',
      integer(1, 10_000_000),
    )
    .option('--seed <n>', 'the same seed gives the same run', integer(0), 1)
    .addOption(
      new Option(
        '--attack <kind>',
        'liars: half of the workers claim to be free, and lie in every way; the others: three of ten nodes take what they can get; theft: all these, one after the other',
      ).choices(['liars', 'theft', 'sybil', 'whitewash', 'freeride', 'backdate', 'collude']),
    )
    .option('--seeds <n>', 'with --attack: runs, each with the next seed', integer(1, 100), 5)
    .action(runCommand((context, flags: SwarmFlags) => benchSwarmBy(context, flags)));
}

async function benchSwarmBy(context: CommandContext, { attack, ...flags }: SwarmFlags): Promise<void> {
  const options = { ...flags, signal: context.signal };
  const { benchSwarm } = await import('../bench/swarm/swarm.ts');
  const { benchLiars } = await import('../bench/swarm/attack.ts');
  const { benchTheft } = await import('../bench/swarm/theft.ts');
  if (attack === undefined) return await report(context, benchSwarm(options));
  if (attack === 'liars') return await report(context, benchLiars(options));
  const { MARKET_ATTACKS } = await import('../bench/swarm/gang.ts');
  const attacks = attack === 'theft' ? (Object.keys(MARKET_ATTACKS) as MarketAttack[]) : [attack];
  await report(context, benchTheft(attacks, { ...options, nodes: flags.workers }));
}

/** Rows as they come for a person, one JSON array for a program. */
async function report(context: CommandContext, events: AsyncGenerator<BenchEvent>): Promise<void> {
  const { output, signal } = context;
  const rows = await told(events, context).catch((error: unknown) => {
    throw signal.aborted ? interrupted() : error; // what was given up fails as it can
  });
  output.document(rows);
  output.line(
    table(
      ['CASE', 'UNIT', 'OURS', 'PEER', '', 'RATIO', 'GOAL', 'SPREAD OF OURS'],
      rows.map((row) => [
        row.case,
        row.unit,
        figure(row.ours),
        row.peer === null ? '–' : figure(row.peer),
        row.peerName ?? '',
        row.ratio === null ? '–' : row.ratio.toFixed(3),
        row.goal ?? '',
        `${figure(Math.min(...row.runs.ours))}–${figure(Math.max(...row.runs.ours))}`,
      ]),
    ),
  );
}

async function told(events: AsyncGenerator<BenchEvent>, { output, signal }: CommandContext): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for await (const event of events) {
    if (signal.aborted) throw interrupted(); // the generator's clean-up runs on the way out
    if (event.type === 'note') output.note(event.text);
    else {
      rows.push(event.row);
      output.note(`${event.row.case}: ${figure(event.row.ours)} ${event.row.unit}`);
    }
  }
  return rows;
}

function figure(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(value);
}
