import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate as aTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Signer } from '../base/signing.ts';
import { ignoring } from '../base/swallowed.ts';
import { identityFromSeed, verify } from '../mesh/transport/identity.ts';
import { PythonSandbox } from '../sandbox/python-sandbox.ts';
import { MOST_RESULTS, ResultsDb } from '../store/results/results-db.ts';
import type { MinerMean } from '../store/results/score-tally.ts';
import { openSqlite } from '../store/sqlite.ts';
import { affineEnvironments } from '../subnets/affine/environments.ts';
import { pose } from '../validation/challenge.ts';
import type { Environment } from '../validation/environment.ts';
import { GenuineResults } from '../validation/genuine-results.ts';
import { signResult } from '../validation/result.ts';
import { PRESETS } from '../validation/scoring/presets.ts';
import { weighResults } from '../validation/scoring/weigh-results.ts';
import { type BenchEvent, benchRow, note } from './row.ts';

export interface BenchValidatorOptions {
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Results that weights are made of. Default 1,000,000. */
  results?: number;
}

/** A run lasts about so long, milliseconds. */
const RUN_MS = 1_000;
const MINERS = 256;
/** Of so many results one has no answer. */
const FAILS_OF = 20;
/** As long as the id of a validator. */
const SIGNER = 'a1'.repeat(32);
const ANSWER = 'x1=True, x2=False\n<HOLES>\n?a=1\n</HOLES>\n<Answer>20</Answer>';
const PYTHON = process.platform === 'win32' ? 'python' : 'python3';

/** Challenges that are posed and judged in a second, beside the same in plain Python where there is one; and how long weights take. */
export async function* benchValidator({
  runs = 5,
  results = 1_000_000,
}: BenchValidatorOptions): AsyncGenerator<BenchEvent> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-sandbox-'));
  const sandbox = new PythonSandbox({ folder });
  try {
    for (const environment of affineEnvironments(sandbox).values()) {
      if (RUNS_PROGRAMS.has(environment.name)) continue; // what that costs is the sandbox
      for (const level of environment.levels) yield* benchEnvironment(environment, level, runs);
    }
    yield* benchSandbox(sandbox, folder, runs);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
  yield note(`writing ${results.toLocaleString('en')} results`);
  yield* benchWeights(runs, results);
  yield note(`signing ${SIGNED.toLocaleString('en')} results`);
  yield* benchGenuine();
}

const RUNS_PROGRAMS = new Set(['abd', 'ded']);
const PROGRAM = 'print(sum(map(int, input().split())))';
const INPUTS = Array.from({ length: 20 }, (_, at) => `${at} 1 2 3`);

/** Programs that strangers wrote: a process of its own for each, beside Python without walls; several at once; and one program with many inputs. */
async function* benchSandbox(sandbox: PythonSandbox, folder: string, runs: number): AsyncGenerator<BenchEvent> {
  const first: number[] = [];
  const cold: number[] = [];
  const each: number[] = [];
  const atOnce: number[] = [];
  const together: number[] = [];
  const python: number[] = [];
  const one = () => sandbox.run(PROGRAM, ['1']);
  await one(); // from here on there is a snapshot
  for (let run = 0; run < runs; run++) {
    first.push(await coldStart());
    cold.push(await coldStart(folder));
    each.push(3 / (await seconds(() => inTurn(3, one))));
    atOnce.push(AT_ONCE / (await seconds(() => Promise.all(Array.from({ length: AT_ONCE }, one)))));
    together.push(INPUTS.length / (await seconds(() => sandbox.run(PROGRAM, INPUTS))));
    const spawned = await seconds(() => inTurn(3, () => unwalled())).catch(
      ignoring('there is no Python: no peer then'),
    );
    if (spawned !== undefined) python.push(3 / spawned);
  }
  const time = { bench: 'validator', goal: null, unit: 'seconds (less is better)' };
  const pace = { bench: 'validator', goal: null, unit: 'runs/s' };
  const peer = { peerName: 'python3 without walls', peer: python };
  const rows = [
    benchRow({ ...time, case: 'sandbox, the first start ever', ours: first }),
    benchRow({ ...time, case: 'sandbox, cold start', ours: cold }),
    benchRow({ ...pace, case: 'sandbox, a process each', ours: each, ...peer }),
    benchRow({ ...pace, case: `sandbox, ${AT_ONCE} at once`, ours: atOnce }),
    benchRow({ ...pace, case: 'sandbox, 20 inputs of one program', ours: together }),
  ];
  for (const row of rows) yield { type: 'row', row };
}

const AT_ONCE = 8;

async function coldStart(folder?: string): Promise<number> {
  const fresh = new PythonSandbox({ warm: 0, folder });
  try {
    return await seconds(() => fresh.run(PROGRAM, ['1']));
  } finally {
    await fresh.close();
  }
}

async function unwalled(): Promise<void> {
  await promisify(execFile)(PYTHON, ['-c', 'print(sum(map(int, "1 2 3".split())))']);
}

async function inTurn(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work();
}

async function* benchEnvironment(environment: Environment, level: string, runs: number): AsyncGenerator<BenchEvent> {
  const figures: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  const program = PEERS[`${environment.name} ${level}`];
  for (let run = 0; run < runs; run++) {
    figures.ours.push(await challengesPerSecond(environment, level, run));
    const peer = program && (await pythonPerSecond(program));
    if (peer) figures.peer.push(peer);
    await new Promise(setImmediate); // lets other work in: an interrupt, a line of output
  }
  const about = { bench: 'validator', case: `${environment.name} ${level}`, unit: 'challenges/s', goal: null };
  yield { type: 'row', row: benchRow({ ...about, ...(program && { peerName: 'plain Python' }), ...figures }) };
}

async function challengesPerSecond(environment: Environment, level: string, run: number): Promise<number> {
  const started = performance.now();
  let challenges = 0;
  for (; performance.now() - started < RUN_MS; challenges++) {
    (await pose(environment, level, `${run} ${challenges}`)).judge(ANSWER);
  }
  return (challenges * 1_000) / (performance.now() - started);
}

/** Undefined where there is no Python. */
async function pythonPerSecond(program: string): Promise<number | undefined> {
  const ran = promisify(execFile)(PYTHON, ['-c', `${program}\n${PYTHON_LOOP}`]);
  const { stdout } = (await ran.catch(ignoring('there is no Python: no peer then'))) ?? {};
  return stdout === undefined ? undefined : Number(stdout);
}

const PYTHON_LOOP = `
import time
start, count = time.perf_counter(), 0
while time.perf_counter() - start < ${RUN_MS / 1_000}:
    judge(make())
    count += 1
print(count / (time.perf_counter() - start))
`;

/** The same work, as one would write it in Python. */
const PEERS: Record<string, string> = {
  'sat usual': `
import random, re
ANSWER = ${JSON.stringify(ANSWER)}
def make(n=15, k=3, m=63):
    hidden = [random.random() < 0.5 for _ in range(n)]
    clauses = []
    for _ in range(m):
        names = random.sample(range(n), k)
        sure = random.randrange(k)
        clauses.append([(v + 1) if hidden[v] == (i == sure or random.random() < 0.5) else -(v + 1) for i, v in enumerate(names)])
    text = " ∧ ".join("(" + " ∨ ".join(("¬" if l < 0 else "") + "x%d" % abs(l) for l in c) + ")" for c in clauses)
    return clauses, "Find values: " + text
def judge(task):
    values = {int(v): t.lower() in ("true", "1") for v, t in re.findall(r"x(\\d+)=(True|False|1|0)", ANSWER)}
    return all(any(values.get(abs(l)) == (l > 0) for l in c) for c in task[0])
`,
  'hvm classic': `
import random
def run(holes, a, b, k):
    stack, out = [], []
    program = [("L", 0), ("L", 1), ("P", holes[0]), ("*",), ("P", holes[1]), ("*",), ("+",), ("D",), ("P", holes[2]), ("%",), ("O",), ("L", 2),
      ("D",), ("Z", 25), ("S",), ("P", holes[3]), ("*",), ("P", holes[4]), ("+",), ("P", holes[5]), ("%",), ("S",), ("P", 1), ("-",), ("J", 12),
      ("X",), ("O",), ("H",)]
    at, inputs = 0, (a, b, k)
    while True:
        op = program[at]; at += 1; name = op[0]
        if name == "H": return out
        if name == "P": stack.append(op[1])
        elif name == "L": stack.append(inputs[op[1]])
        elif name == "D": stack.append(stack[-1])
        elif name == "S": stack[-1], stack[-2] = stack[-2], stack[-1]
        elif name == "X": stack.pop()
        elif name == "O": out.append(str(stack.pop()))
        elif name == "J": at = op[1]
        elif name == "Z":
            if stack.pop() == 0: at = op[1]
        else:
            y, x = stack.pop(), stack.pop()
            stack.append(x * y if name == "*" else x + y if name == "+" else x - y if name == "-" else x % y)
def make():
    r = random.randint
    cases = [(r(-8, 8), r(-8, 8), r(1, 8)) for _ in range(3)]
    fill = lambda: (r(-9, 9), r(-9, 9), r(3, 30), r(0, 12), r(-9, 9), r(3, 30))
    secret = fill()
    told = [(case, run(secret, *case)) for case in cases]
    for _ in range(64): run(fill(), *cases[0])
    return told
def judge(told):
    return all(run((1, 1, 5, 1, 1, 5), *case) == out for case, out in told)
`,
};

/** Seconds from the database to weights of 256 miners in five environments, beside the database’s own sums of the same rows. */
async function* benchWeights(runs: number, count: number): AsyncGenerator<BenchEvent> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarry-bench-validator-'));
  const results = new ResultsDb({ dataDir });
  try {
    await results.open();
    fill(join(dataDir, 'results.db'), count);
    const figures: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
    const [reading, weighing]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      let means: MinerMean[] = [];
      const took = await seconds(async () => {
        const read = async () => {
          means = await results.means(0, { asked: ASKED, signers: [SIGNER] });
        };
        reading.push(await longestDuring(read));
        weighing.push(await longestDuring(() => weighResults(means, { preset: PRESETS[0], burn: 0 })));
      });
      figures.ours.push(took);
      figures.peer.push(await seconds(async () => sumsOf(join(dataDir, 'results.db'))));
    }
    const name = `weights of ${MINERS} miners, 5 environments, ${count.toLocaleString('en')} results`;
    const about = { bench: 'validator', case: name, unit: 'seconds (less is better)', goal: '< 1' };
    const block = { ...about, unit: 'ms (less is better)', goal: '≤ 20' };
    const rows = [
      benchRow({ ...about, peerName: 'one GROUP BY of raw SQLite', ...figures }),
      benchRow({ ...block, case: `${name}: longest block while adding up`, ours: reading, peer: [] }),
      benchRow({ ...block, case: `${name}: longest block while weighing`, ours: weighing, peer: [] }),
    ];
    for (const row of rows) yield { type: 'row', row };
  } finally {
    await results.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Results that are looked at as before weights go to the chain. */
const SIGNED = 100_000;

/** Seconds until it is known which results are as they were signed; and how long meanwhile nobody else had a turn. */
async function* benchGenuine(): AsyncGenerator<BenchEvent> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quarry-bench-genuine-'));
  const results = new ResultsDb({ dataDir });
  try {
    await results.open();
    const signer = identityFromSeed(randomBytes(32));
    for (let at = 0; at < SIGNED; at += MOST_RESULTS) {
      await results.addAll(Array.from({ length: MOST_RESULTS }, (_, more) => signedResult(at + more, signer)));
    }
    const genuine = new GenuineResults(verify);
    for (const time of ['the first time', 'again']) {
      const look = genuine.look(results, [signer.id]);
      const turns = new LongestTurn();
      const took = await seconds(() => results.means(0, { signers: [signer.id], sift: (scores) => look.sift(scores) }));
      const longest = await turns.end();
      const about = { bench: 'validator', peer: [] };
      const name = `signatures of ${SIGNED.toLocaleString('en')} results, ${time}`;
      yield {
        type: 'row',
        row: benchRow({ ...about, case: name, unit: 'seconds (less is better)', goal: null, ours: [took] }),
      };
      const block = { case: `${name}: longest block`, unit: 'ms (less is better)', goal: '≤ 20', ours: [longest] };
      yield { type: 'row', row: benchRow({ ...about, ...block }) };
    }
  } finally {
    await results.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** As long as a hotkey. */
const minerName = (at: number) => `5${String(at).padStart(47, 'F')}`;

/** The answer is as long as those of models usually are. */
function signedResult(at: number, signer: Signer) {
  const about = { environment: `environment ${at % 5}`, environmentVersion: '1', level: 'usual', challengeId: `${at}` };
  const by = { miner: minerName(at % MINERS), model: 'model', revision: 'revision', uid: at % MINERS, block: 1 };
  const success = at % FAILS_OF !== 0;
  const error = success ? null : 'It said nothing.';
  const how = { score: success ? at % 2 : 0, reason: null, success, error, attempts: 1, latencyMs: 10 };
  const answer = success ? 'x'.repeat(2_000) : null;
  return signResult(
    { ...about, ...by, ...how, answer, seed: 'a'.repeat(64), createdAt: 1_795_000_000_000 + at },
    signer,
  );
}

/** Milliseconds between two turns of the event loop, the most there were. */
class LongestTurn {
  #longest = 0;
  #last = performance.now();
  #timer = setImmediate(() => this.#look());

  async end(): Promise<number> {
    await aTurn();
    clearImmediate(this.#timer);
    return this.#longest;
  }

  #look(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
    this.#timer = setImmediate(() => this.#look());
  }
}

async function longestDuring(work: () => Promise<unknown>): Promise<number> {
  const turns = new LongestTurn();
  await work();
  return turns.end();
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

const ASKED = Array.from({ length: 5 }, (_, at) => ({
  environment: `environment ${at}`,
  version: '1',
  level: 'usual',
}));

function sumsOf(path: string) {
  const db = openSqlite(path);
  try {
    return db.prepare('SELECT environment, miner, count(*), avg(score) FROM results GROUP BY 1, 2').all();
  } finally {
    db.close();
  }
}

function fill(path: string, count: number): void {
  const db = openSqlite(path);
  try {
    db.prepare(
      `INSERT INTO results (environment, environment_version, challenge_id, miner, model, revision, score, success, latency_ms, created_at, signer,
        signature, payload_sha256, payload, level)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
      SELECT 'environment ' || (n % 5), '1', 'challenge ' || n, '5' || printf('%047d', n % ${MINERS}), 'model', 'revision',
        (n * 7919 % 10) > 4 AND n % ${FAILS_OF} > 0, n % ${FAILS_OF} > 0, 10, 1795000000000 + n, '${SIGNER}', 'signature', 'sha256', '{}', 'usual' FROM numbers`,
    ).run(count);
  } finally {
    db.close();
  }
}
