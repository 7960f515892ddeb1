import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MOST_SOURCE_BYTES } from '../../../../../src-preload/contract/optimiser-numbers.ts';
import { type Saying, say, type Words } from '../../../../../src-preload/contract/saying.ts';
import { entryModule, installedPath } from '../../../../base/installation.ts';
import { childTask } from '../../../../process/child-task.ts';
import type { Launch, ProcessSpawner } from '../../../../process/process-spawner.ts';
import { type CompileReport, compileReportSchema } from './compile-messages.ts';

const ENTRY = entryModule('subnets/quasar/optimiser/compile/compile-child');
/** The compiler takes some 200 MiB and two seconds for what people write. */
const LIMITS = { heapMiB: 512, memoryMiB: 1_024, cpuSeconds: 60, priority: 10 };
const [WEB_ASSEMBLY_MIB, DATA_MIB] = [512, 2_048];
/** However little of the processor it gets, milliseconds. */
const MOST_MS = 600_000;

/** What compiling came to; `late` and `outOfMemory`: the process was ended, as the source took too much. */
export type Compiled = CompileReport | { tooMuch: 'late' | 'outOfMemory' } | { tooLarge: number };

export interface CompileOptions {
  /** Electron’s. Default: a process of Node, with walls around it. */
  spawner?: ProcessSpawner | undefined;
  signal?: AbortSignal | undefined;
}

/** Compiles a source of whoever, in a process of its own with bounded time and memory. @throws the signal’s reason; INTERNAL where no process can be started */
export async function compileKernel(source: string, { spawner, signal }: CompileOptions = {}): Promise<Compiled> {
  const bytes = Buffer.byteLength(source);
  if (bytes > MOST_SOURCE_BYTES || source.length > MOST_SOURCE_BYTES) return { tooLarge: bytes };
  const late = AbortSignal.timeout(MOST_MS);
  let death: Words | undefined;
  try {
    return await childTask<CompileReport, Compiled>({
      ...{ spawner, messages: compileReportSchema, task: { source } },
      launch: launchWith(spawner),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      onReport: (report, { resolve }) => resolve(report),
      died: (reason) => {
        death = reason;
        return say('optimiser.compilerDied', { reason });
      },
    });
  } catch (error) {
    signal?.throwIfAborted();
    const tooMuch = late.aborted ? 'late' : tooMuchOf(death);
    if (tooMuch) return { tooMuch };
    throw error;
  }
}

/** Walls are Node’s; the compiler adds to JavaScript’s own objects, which they leave open for it. What is compiled is never run there. */
function launchWith(spawner: ProcessSpawner | undefined): Launch {
  const launch = { name: 'the compiler', run: ENTRY, env: {}, limits: LIMITS };
  if (spawner) return launch;
  const reads = [dirname(fileURLToPath(ENTRY)), ...OWN_READS.map((path) => installedPath(path)), ...packages()];
  return { ...launch, walls: { reads, webAssemblyMiB: WEB_ASSEMBLY_MIB, dataMiB: DATA_MIB, hasOpenIntrinsics: true } };
}

/** What its modules import, beside the compiler. */
const OWN_READS = ['src-main/process', 'src-main/base', 'src-preload/contract', 'package.json'];

/** Where the compiler and what it is made of really lie. */
function packages(): string[] {
  const compiler = dirname(realpathSync(createRequire(import.meta.url).resolve('assemblyscript/package.json')));
  const beside = dirname(compiler);
  return ['assemblyscript', 'binaryen', 'long', 'zod'].map((name) => `${beside}/${name}`);
}

/** Of its exit codes, those that a process has which was aborted. */
const ABORTED_FROM = 128;

/** What a source took too much of, by how its process ended: V8 and binaryen abort where memory is not enough. Any other end says nothing about the source. */
function tooMuchOf(death: Words | undefined): 'late' | 'outOfMemory' | undefined {
  if (death === undefined || typeof death === 'string') return undefined;
  const { how = death, words = '' } = (death.key === 'child.lastWords' ? death.params : {}) as LastWords;
  if (how.key === 'child.time') return 'late';
  const isAborted =
    how.key === 'child.signal' || (how.key === 'child.code' && Number(how.params?.code) >= ABORTED_FROM);
  return isAborted || how.key === 'child.memory' || /memory|allocation/i.test(words) ? 'outOfMemory' : undefined;
}

interface LastWords {
  how?: Saying;
  words?: string;
}
