import { z } from 'zod';
import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { jsonExcess } from '../../../base/json-shape.ts';
import { parsedJson } from '../../../base/json-text.ts';
import type { ProgramRun } from '../../../sandbox/program-sandbox.ts';
import type { CodeCase } from './code-task.ts';

/** Of what a program returns, objects and lists within one another, and values in all. */
const [MOST_LEVELS, MOST_VALUES] = [20, 100_000];
/** Of a name that Python has for what was raised, UTF-16 units. */
const MOST_NAME = 60;

/** What a case is, as a program reads it. */
export const caseInput = ({ files, parameters }: Pick<CodeCase, 'files' | 'parameters'>): string =>
  JSON.stringify({ files, parameters });

/**
 * A program that has the one of an answer define its function, calls that with what is read, and prints what it returns as a line of JSON, or what was wrong. Whatever
 * the other does to Python’s library or prints, it does to itself: nothing in there knows what is expected.
 * @param entry a name of Python
 */
export const judgedProgram = (program: string, entry: string): string =>
  `${CALLER}\n_call(${JSON.stringify(program)}, ${JSON.stringify(entry)})\n`;

const CALLER = `
import io, json, sys, types

class _Nowhere(io.RawIOBase):
    def writable(self):
        return True
    def write(self, piece):
        return len(piece)

class _Refused(Exception):
    pass

def _plain(value, left, levels):
    left[0] -= 1
    if left[0] < 0:
        raise _Refused("large")
    if value is None or value is True or value is False:
        return value
    if isinstance(value, int):
        if not -2**53 < value < 2**53:
            raise _Refused("large")
        return int(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise _Refused("notJson")
        return float(value)
    if isinstance(value, str):
        return str(value).encode("utf-8", "replace").decode("utf-8")
    if not isinstance(value, (list, tuple, dict)):
        raise _Refused("notJson")
    if levels == 0:
        raise _Refused("deep")
    if not isinstance(value, dict):
        return [_plain(one, left, levels - 1) for one in value]
    if not all(isinstance(key, str) for key in value):
        raise _Refused("notJson")
    return {str(key): _plain(one, left, levels - 1) for key, one in value.items()}

def _place(error, name):
    line, at = 0, error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == name:
            line = at.tb_lineno
        at = at.tb_next
    return line

def _outcome(text, entry, asked):
    try:
        code = compile(text, "program.py", "exec")
    except BaseException as error:
        return {"fault": "syntax", "name": type(error).__name__, "line": getattr(error, "lineno", None) or 0}
    module = sys.modules["program"] = types.ModuleType("program")
    try:
        exec(code, vars(module))
        called = vars(module).get(entry)
        if not callable(called):
            return {"fault": "missing"}
        value = called(asked["files"], asked["parameters"])
    except BaseException as error:
        return {"fault": "raised", "name": type(error).__name__, "line": _place(error, "program.py")}
    try:
        return {"value": _plain(value, [${MOST_VALUES}], ${MOST_LEVELS})}
    except _Refused as refused:
        return {"fault": refused.args[0]}
    except BaseException:
        return {"fault": "notJson"}

def _call(text, entry):
    streams, read, told = (sys.stdout, sys.stderr), sys.stdin.read(), json.dumps
    nowhere = io.TextIOWrapper(io.BufferedWriter(_Nowhere()), write_through=True)
    sys.stdout = sys.stderr = nowhere
    outcome = _outcome(text, entry, json.loads(read))
    sys.stdout, sys.stderr = streams
    print("\\n" + told(outcome))
`;

const outcomeSchema = z.union([
  z.strictObject({ value: z.unknown() }),
  z.strictObject({ fault: z.enum(['syntax', 'raised']), name: z.string(), line: z.int().min(0) }),
  z.strictObject({ fault: z.enum(['missing', 'large', 'deep', 'notJson']) }),
]);

/** Where a program is so for one case, it is for all. */
const FOR_ALL = ['syntax', 'missing'];

/** What a program has said to a case. */
export type Outcome = { value: unknown } | { why: Saying; isForAll: boolean };

/** Reads what a program of {@link judgedProgram} has printed: it may be anything. */
export function outcomeOf(run: ProgramRun): Outcome {
  if (run.outcome === 'late') return failed(say('quasar.code.late'));
  if (run.outcome === 'died') return failed(say('quasar.code.died', { reason: run.reason }));
  if (run.truncated) return failed(say('quasar.code.large'));
  const said = run.stdout.trimEnd();
  const line = said.slice(said.lastIndexOf('\n') + 1);
  const excess = jsonExcess(Buffer.from(line), MOST_LEVELS + 2);
  const { data } = outcomeSchema.safeParse(excess ? undefined : parsedJson(line));
  if (data === undefined) return failed(say('quasar.code.silent'));
  if ('value' in data) return data;
  return { why: whyOf(data), isForAll: FOR_ALL.includes(data.fault) };
}

function whyOf(data: Extract<z.infer<typeof outcomeSchema>, { fault: string }>): Saying {
  if (!('name' in data)) return PLAIN[data.fault];
  const at = { name: foreignLine(data.name.slice(0, MOST_NAME)), line: String(data.line) };
  return data.fault === 'syntax' ? say('quasar.code.syntax', at) : say('quasar.code.raised', at);
}

const PLAIN = {
  missing: say('quasar.code.missing'),
  large: say('quasar.code.large'),
  deep: say('quasar.code.deep'),
  notJson: say('quasar.code.notJson'),
};

const failed = (why: Saying): Outcome => ({ why, isForAll: false });
