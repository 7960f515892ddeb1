import { type APIResult, type DiagnosticMessage, main } from 'assemblyscript/asc';
import { type CompileReport, type Mistake, MOST_MESSAGE, MOST_MISTAKES } from './compile-messages.ts';

export const KERNEL_FILE = 'kernel.ts';
const MODULE_FILE = 'kernel.wasm';

/**
 * Without a heap that is freed, asserts or imports («abort» becomes a trap), as fast as it gets; its memory declares the
 * most that kernels may have. docs/kernels.md has people compile theirs so, too.
 */
export const COMPILER_OPTIONS: readonly string[] = [
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
  ...['--use', 'abort=', '--initialMemory', '1', '--maximumMemory', '4096'],
];

/** Of diagnostics: what ends the work. */
const ERROR = 3;

/** Compiles AssemblyScript in memory: it knows the one source and its own library, and no file. Never throws for a source. */
export async function compileSource(source: string): Promise<CompileReport> {
  const made = new Map<string, Uint8Array>();
  const mistakes: Mistake[] = [];
  const result = await compile({
    readFile: (name) => (name === KERNEL_FILE ? source : null),
    writeFile: (name, contents) => void (typeof contents !== 'string' && made.set(name, contents)),
    listFiles: () => [],
    reportDiagnostic: (each) => {
      if (each.category === ERROR && mistakes.length < MOST_MISTAKES) mistakes.push(mistakeOf(each, source));
    },
  });
  const module = made.get(MODULE_FILE);
  if (mistakes.length > 0) return { mistakes };
  if (result.error || !module) return { gaveUp: inShort(result.error?.message ?? 'no module came of it') };
  return { module: Buffer.from(module).toString('base64') };
}

/** What the compiler throws is about this source, too. */
async function compile(files: NonNullable<Parameters<typeof main>[1]>): Promise<Pick<APIResult, 'error'>> {
  try {
    return await main([KERNEL_FILE, '--outFile', MODULE_FILE, '--noColors', ...COMPILER_OPTIONS], files);
  } catch (error) {
    return { error: error as Error };
  }
}

function mistakeOf({ code, message, range }: DiagnosticMessage, source: string): Mistake {
  const isHere = range?.source.normalizedPath === KERNEL_FILE;
  return { code, message: inShort(message), line: isHere ? source.slice(0, range.start).split('\n').length : null };
}

const inShort = (text: string) => (text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE - 1)}…` : text);
