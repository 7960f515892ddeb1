import type { ProgramSandbox } from '../../../sandbox/program-sandbox.ts';
import { asked, type Probe } from './probe.ts';

const SYSTEM = 'You are a helpful assistant.';
const MOST_TOKENS = 256;

interface Task {
  question: string;
  /** In Python: lists of arguments, and what comes of each. */
  name: string;
  cases: readonly (readonly [args: readonly unknown[], result: unknown])[];
}

/** The first is the original's (B6), with more cases: what counts there is f(0), f(1) and f(10). */
const TASKS: readonly Task[] = [
  {
    name: 'fibonacci',
    question:
      'Write a Python function fibonacci(n) that returns the n-th Fibonacci number iteratively. Include a docstring.',
    cases: [
      [[0], 0],
      [[1], 1],
      [[2], 1],
      [[10], 55],
      [[30], 832_040],
    ],
  },
  {
    name: 'is_even',
    question: 'Write a Python function is_even(n) that returns True if n is even and False otherwise.',
    cases: [
      [[0], true],
      [[3], false],
      [[-4], true],
      [[101], false],
    ],
  },
  {
    name: 'add',
    question: 'Write a Python function add(a, b) that returns the sum of a and b.',
    cases: [
      [[1, 2], 3],
      [[-5, 5], 0],
      [[2.5, 0.25], 2.75],
    ],
  },
  {
    name: 'reverse_string',
    question: 'Write a Python function reverse_string(s) that returns the string s reversed.',
    cases: [
      [['abc'], 'cba'],
      [[''], ''],
      [['aab'], 'baa'],
    ],
  },
];

/** Functions to write. Each is run on cases that its author does not see, in the sandbox. */
export function codingProbes(sandbox: Pick<ProgramSandbox, 'run'>): Probe[] {
  return TASKS.map((task) => ({
    id: `coding: ${task.name}`,
    kind: 'coding',
    messages: asked(SYSTEM, task.question),
    maxTokens: MOST_TOKENS,
    check: async ({ text }, signal) => ((await isRight(task, codeOf(text), sandbox, signal)) ? 1 : 0),
  }));
}

/** The first fenced block, or all from the first `def` on. */
export function codeOf(answer: string): string {
  const [, fenced] = /```(?:python|py)?[ \t]*\n([\s\S]*?)(?:\n```|$)/i.exec(answer) ?? [];
  const from = answer.search(/^(?:def|import|from) /m);
  return fenced ?? (from >= 0 ? answer.slice(from) : '');
}

/** What the code itself prints counts for nothing: only the line after this mark. */
async function isRight(
  { name, cases }: Task,
  code: string,
  sandbox: Pick<ProgramSandbox, 'run'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (code === '') return false;
  const mark = crypto.randomUUID();
  const call = `
import json as _json, sys as _sys
_asked = _json.loads(_sys.stdin.read())
print("\\n" + _asked["mark"] + _json.dumps([${name}(*args) for args in _asked["cases"]]))
`;
  const stdin = JSON.stringify({ mark, cases: cases.map(([args]) => args) });
  const [run] = await sandbox.run(code + call, [stdin], { signal });
  if (run?.outcome !== 'ran') return false;
  return run.stdout.includes(`\n${mark}${pythonList(cases.map(([, result]) => result))}`);
}

/** As Python's json.dumps writes it. */
function pythonList(values: readonly unknown[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}
