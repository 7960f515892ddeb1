import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProgramTime } from '../../src-main/sandbox/program-sandbox.ts';
import { PythonSandbox } from '../../src-main/sandbox/python-sandbox.ts';
import type { BandName } from '../../src-main/subnets/quasar/code/bands.ts';
import { type CodeTask, drawTask } from '../../src-main/subnets/quasar/code/code-task.ts';
import { judgeCode } from '../../src-main/subnets/quasar/code/judge-code.ts';
import { TOPICS } from '../../src-main/subnets/quasar/code/topics/topics.ts';
import { SeededRandom } from '../../src-main/validation/seeded-random.ts';
import { ChatServer } from '../support/chat-server.ts';
import { codeSolution } from '../support/code-solutions.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

let sandbox: PythonSandbox;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-code-'));
  sandbox = new PythonSandbox({ folder });
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** The times of bands are for a machine of its own. */
const PATIENT = { runMs: 3_600_000, programMs: 3_600_000 };

const judge = (task: CodeTask, program: string, time: ProgramTime = PATIENT) =>
  judgeCode(
    { run: (text, inputs, options) => sandbox.run(text, inputs, { ...options, time }) },
    task,
    `Here it is:\n\`\`\`python\n${program}\n\`\`\``,
  );

async function taskOf(topic: string, band: BandName, round = 0): Promise<CodeTask> {
  for (let seed = 0; ; seed++) {
    const task = await drawTask(new SeededRandom(`${round} ${seed}`), band);
    if (task.topic === topic) return task;
  }
}

/** What a program is worth, and why. */
async function worth(task: CodeTask, program: string, time?: ProgramTime) {
  const { score, reason } = await judge(task, program, time);
  const why = reason.params?.why;
  return [score, reason.key, typeof why === 'object' && 'key' in why ? why.key : undefined];
}

/** Each program is a process that takes a second to start. */
const LONG = { tags: ['long', 'seldom'] };

it.each(TOPICS.map(({ name }) => name))('%s is solved by whoever reads the conventions', async (topic) => {
  const task = await taskOf(topic, '8k-16k');
  expect(await worth(task, codeSolution(topic, task.entry))).toEqual([1, 'quasar.code.solved', undefined]);
});

it('whoever says what is right here, and no more, gets nothing', async () => {
  const task = await taskOf('classes', '8k-16k');
  const told = JSON.stringify(JSON.stringify(task.cases[0]?.expected));
  const constant = `import json\ndef ${task.entry}(files, parameters):\n    return json.loads(${told})`;
  expect(await worth(task, constant)).toEqual([0, 'quasar.code.shownOnly', 'quasar.code.otherValue']);
});

describe.each(TOPICS.map(({ name }) => name))('more of %s', LONG, (topic) => {
  it.each(['16k-32k', '32k-64k', '64k-128k', '128k+'] as const)('is solved in the same way: %s', async (band) => {
    const task = await taskOf(topic, band, 1);
    expect(await worth(task, codeSolution(topic, task.entry))).toEqual([1, 'quasar.code.solved', undefined]);
  });
});

it('a program reads the longest code bases', async () => {
  const task = await taskOf('flow', '128k+');
  expect(JSON.stringify(task.cases[1]?.files).length).toBeGreaterThan(500_000);
  expect(await worth(task, codeSolution('flow', task.entry))).toEqual([1, 'quasar.code.solved', undefined]);
});

it('whoever heeds what is no longer a convention gets what is left', async () => {
  const task = await taskOf('signatures', '8k-16k');
  const wrong = codeSolution('signatures', task.entry).replace('Convention of this project:', 'No longer a convention');
  expect((await judge(task, wrong)).score).toBeLessThan(1);
});

describe('a program that', () => {
  const F = 'def find(files, parameters):\n    ';
  const cases = [1, 2].map((number) => ({
    ...{ files: { 'a.py': 'x = 1\n' }, parameters: { number } },
    expected: { found: [number] },
  }));
  const task: CodeTask = { topic: '', band: '128k+', entry: 'find', context: '', question: '', cases };
  const right = `return {"found": [parameters["number"]]}`;

  type Row = [does: string, program: string, worth: [score: number, key: string, why: string | undefined]];
  const HOSTILE: Row[] = [
    ['prints megabytes', `${F}print("x" * 10**7)\n    import os\n    ${right}`, [1, 'solved', undefined]],
    ['has another name', 'def solve(files, parameters):\n    return 1', [0, 'none', 'missing']],
    ['holds itself', `${F}a = []\n    a.append(a)\n    return a`, [0, 'none', 'deep']],
    ['returns a huge text', `${F}return "x" * 10**7`, [0, 'none', 'large']],
    [
      'breaks json',
      `import json\njson.dumps = json.encoder.JSONEncoder.encode = lambda *a, **k: "[]"\n${F}${right}`,
      [0, 'none', 'silent'],
    ],
    ['is right once', `${F}return {"found": [2.0]}`, [0.5, 'some', 'otherValue']],
  ];
  const MORE: Row[] = [
    ['is no Python', 'def find(files, parameters) return 1', [0, 'none', 'syntax']],
    [
      'raises what cannot be told',
      `${F}class E(Exception):\n        def __str__(self): raise self\n    raise E`,
      [0, 'none', 'raised'],
    ],
    ['exits', `import sys\n${F}sys.exit(0)`, [0, 'none', 'raised']],
    ['returns what is no JSON', `${F}return {1: {2}}`, [0, 'none', 'notJson']],
    ['returns no number', `${F}return float("nan")`, [0, 'none', 'notJson']],
    ['returns a huge number', `${F}return 10**5000`, [0, 'none', 'large']],
    ['returns far too much', `${F}return [[0] * 1000] * 1000`, [0, 'none', 'large']],
    ['reads files', `${F}return open("/etc/passwd").read()`, [0, 'none', 'raised']],
    [
      'asks the network',
      `${F}import urllib.request\n    return urllib.request.urlopen("http://127.0.0.1:80").read()`,
      [0, 'none', 'raised'],
    ],
    ['breaks what it prints to', `import sys\nsys.__stdout__.close()\n${F}${right}`, [0, 'none', 'silent']],
    ['is gone', `import os\n${F}os._exit(0)`, [0, 'none', 'silent']],
    ['recurses without end', `${F}return find(files, parameters)`, [0, 'none', 'raised']],
  ];
  const deserves = async ([, program, [score, key, why]]: Row) => {
    expect(await worth(task, program)).toEqual([score, `quasar.code.${key}`, why && `quasar.code.${why}`]);
  };
  it.each(HOSTILE)('%s gets what it deserves', (...row) => deserves(row));
  it.each(MORE)('%s gets what it deserves', LONG, (...row) => deserves(row));

  it('never ends, is ended', async () => {
    const endless = `${F}while parameters["number"] == 2: pass\n    ${right}`;
    expect(await worth(task, endless, { runMs: 2_000, programMs: 2_000 })).toMatchObject([
      0,
      expect.anything(),
      'quasar.code.late',
    ]);
  });

  it('takes all memory has died of it, and no fault of ours is seen in that', async () => {
    const hungry = `${F}kept = []\n    while True: kept.append(bytearray(10**7))`;
    const [score, , why] = await worth(task, hungry);
    expect(score).toBe(0);
    expect(why).toMatch(/quasar\.code\.(raised|died|silent)/);
  });
});

it('a validator asks a miner, keeps what came of it, and judges that again', LONG, async () => {
  const data = await temporaryFolder();
  const validator = async (...args: string[]) => {
    const process = new QuarryProcess(['validator', ...args, '--data', data.path]);
    return { code: await process.ended(), stdout: process.stdout, stderr: process.stderr };
  };
  const miner = await new ChatServer('knows', solved).open();
  await writeFile(join(data.path, 'quarry.toml'), '[validator]\nenvironments = ["quasar-code"]\nlevel = "16k-32k"\n');
  await validator('miner', 'add', 'knows', '--url', miner.url);
  const ran = await validator('run', '--answers', '2', '--json');
  await miner.close();
  expect(JSON.parse(ran.stdout)).toMatchObject({ answered: 2, failed: 0 });
  const kept = JSON.parse((await validator('results', '--json')).stdout) as { id: number }[];
  const result = { environment: 'quasar-code', success: true, score: 1 };
  expect(kept).toMatchObject([result, result]);
  for (const { id } of kept) {
    expect(JSON.parse((await validator('replay', String(id), '--json')).stdout)).toMatchObject({ verdict: 'same' });
  }
  await data.remove();
});

/** Tells the topic by what is asked, as a good model would. */
const ASKS: [RegExp, string][] = [
  [/lines on which a name is written/, 'assignments'],
  [/functions of a package that can be called/, 'signatures'],
  [/who depends on a module/, 'imports'],
  [/class from which a class has its methods/, 'classes'],
  [/what is to be tidied up/, 'smells'],
  [/what a function of this code base returns/, 'flow'],
];

function solved(prompt: string): string {
  const entry = /defines the function (\w+)\(/.exec(prompt)?.[1] ?? '';
  const topic = ASKS.find(([words]) => words.test(prompt))?.[1] ?? '';
  return `\`\`\`python\n${codeSolution(topic, entry)}\n\`\`\``;
}
