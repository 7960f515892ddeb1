import { z } from 'zod';
import { say } from '../../../../src-preload/contract/saying.ts';
import { parsedJson } from '../../../base/json-text.ts';
import type { ProgramRun, ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import { plain, type Verdict, type Verifier } from './verifier.ts';

export const MOST_PROGRAM_CHARS = 20_000;

/** What the last line of the program's output may be: `true`, `0.7`, or `{"score": 0.7, "passes": true}`. */
const saidSchema = z.union([
  z.boolean(),
  z.number().min(0).max(1),
  z.object({ score: z.number().min(0).max(1), passes: z.boolean().optional() }),
]);

/** A score alone passes from here on. */
const PASSES_FROM = 0.5;

/** Appended: whoever writes a check writes a function. */
const CALL = `
import json as _json, sys as _sys
_asked = _json.loads(_sys.stdin.read())
_said = check(_asked["text"])
print("\\n" + _json.dumps(_said))
`;

/**
 * An own check in Python: a function `check(text)` that gives True, False, a number from 0 to 1, or `{"score": …, "passes": …}`. It runs in the
 * sandbox, for which programs are hostile.
 */
export function pythonVerifier(program: string, sandbox: Pick<ProgramSandbox, 'run'>): Verifier {
  return {
    async check({ text }, signal) {
      const [run] = await sandbox.run(program + CALL, [JSON.stringify({ text })], { signal });
      return verdictOf(run);
    },
  };
}

function verdictOf(run: ProgramRun | undefined): Verdict {
  if (run?.outcome === 'late') return plain(false, say('evaluation.python.late'));
  if (run?.outcome !== 'ran') return plain(false, say('evaluation.python.died'));
  const said = saidSchema.safeParse(parsedJson(run.stdout.trimEnd().split('\n').at(-1) ?? ''));
  if (!said.success) return plain(false, say('evaluation.python.silent', { said: run.stderr.slice(-200) }));
  const { score, passes } = inFull(said.data);
  return { score, passes, why: say('evaluation.python.said', { score: Math.round(100 * score) }) };
}

function inFull(said: z.infer<typeof saidSchema>): { score: number; passes: boolean } {
  if (typeof said === 'boolean') return { score: said ? 1 : 0, passes: said };
  const { score, passes } = typeof said === 'number' ? { score: said, passes: undefined } : said;
  return { score, passes: passes ?? score >= PASSES_FROM };
}
