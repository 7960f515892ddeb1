import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { OptimiserDetails } from '../../src-preload/contract/optimiser.ts';
import { type Answering, ChatServer } from '../support/chat-server.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Each attempt starts processes, and is measured for some seconds. */
const MOST_MS = 900_000;

const args = (...more: string[]) => ['optimise', ...more, '--data', join(folder.path, 'data')];

async function writer(answering: Answering): Promise<ChatServer> {
  const server = new ChatServer('coder', answering);
  await server.open();
  onTestFinished(() => server.close());
  return server;
}

/** Right where `order` is, and slow: one number at a time, all of the state for each value channel. */
const plain = (idea: string, decay = 'load<f32>(g + kt + (i << 2))') => `// idea: ${idea}
export function step(q: usize, k: usize, v: usize, g: usize, state: usize, out: usize, tokens: i32, dk: i32, dv: i32): void {
  for (let t = 0; t < tokens; t++) {
    const kt = (<usize>(t * dk)) << 2;
    for (let j = 0; j < dv; j++) {
      let sum: f32 = 0;
      const value = load<f32>(v + ((<usize>(t * dv + j)) << 2));
      for (let i: usize = 0; i < <usize>dk; i++) {
        const at = state + ((i * <usize>dv + <usize>j) << 2);
        const next: f32 = ${decay} * load<f32>(at) + load<f32>(k + kt + (i << 2)) * value;
        store<f32>(at, next);
        sum += load<f32>(q + kt + (i << 2)) * next;
      }
      store<f32>(out + ((<usize>(t * dv + j)) << 2), sum / sqrt<f32>(<f32>dk));
    }
  }
}
`;
const fenced = (source: string) => `Here it is:\n\`\`\`ts\n${source}\`\`\``;

it('writes, mends and measures kernels, is killed amid it, and goes on with nothing lost and nothing tried twice', {
  tags: ['long'],
  timeout: MOST_MS,
}, async () => {
  const fast = await readFile(new URL('../../resources/kernels/baseline.ts', import.meta.url), 'utf8');
  const answers = [
    'I would rather talk about the weather.',
    fenced(plain('does not compile').replace('let sum: f32 = 0;', 'let sum: f32 = nothing;')),
    fenced(plain('forgets to decay', '<f32>1')),
    fenced(plain('one at a time')),
    fenced(`// idea: sixteen at a time\n${fast}`),
  ];
  const reached = Promise.withResolvers<void>();
  const server = await writer(() => {
    if (server.asked.length === 3) return void reached.resolve(); // it is being answered for ever
    return answers[server.asked.length - (server.asked.length > 3 ? 2 : 1)];
  });
  const plan = ['--server', server.url, '--iterations', '2', '--tokens', '10000'];
  const killed = new QuarryProcess(args(...plan));
  await reached.promise;
  await killed.stop('SIGKILL');

  const [before] = JSON.parse((await quarry(args('list', '--json'))).stdout);
  expect(before).toMatchObject({ state: 'stopped', attempts: 2, iterations: 1, best: null, model: 'coder' });
  const went = await quarry(args('--resume', before.id, '--json'));
  expect([went.child.exitCode, went.stderr]).toEqual([0, expect.stringContaining('quarry optimise export')]);
  const { id, list, best, state, endedBy }: OptimiserDetails = JSON.parse(went.stdout);
  expect({ id, state, endedBy }).toEqual({ id: before.id, state: 'done', endedBy: 'iterations' });
  expect(list.map(({ iteration, repair, outcome }) => `${iteration}.${repair} ${outcome}`)).toEqual([
    ...['1.0 noCode', '1.1 name', '1.2 wrong', '1.3 measured', '2.0 measured'],
  ]);

  // What came of each went back to the model; what was being answered is asked again, and nothing else.
  expect(server.asked).toHaveLength(6);
  expect(server.asked[3]).toBe(server.asked[2]);
  expect(server.asked[1]).toContain('The answer had no code');
  expect(server.asked[2]).toMatch(/Line 6, AssemblyScript 2304: Cannot find name 'nothing'.*>\s+6 \|/s);
  expect(server.asked[4]).toMatch(/It came to: wrong\n\n.*instead of/);
  expect(server.asked[5]).toMatch(/# Make this source faster.*one at a time/s);

  expect(best?.number).toBe(4);
  const [slow, quick] = [list[3]?.speed, list[4]?.speed];
  expect(quick?.low).toBeGreaterThan(slow?.high ?? 0);

  const shown = await quarry(args('show', id));
  expect(shown.stdout).toMatch(/\n4 +2 +0 .*measured .*best/);
  expect(shown.stdout).toContain('+ // idea: sixteen at a time');
  const file = join(folder.path, 'mine.ts');
  expect((await quarry(args('export', id, file))).child.exitCode).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('sixteen at a time');
  expect((await readFile(join(folder.path, 'mine.wasm'))).subarray(0, 4).toString()).toBe('\0asm');
  const again = await quarry(args('--resume', id));
  expect([again.child.exitCode, again.stderr]).toEqual([1, expect.stringContaining('has tried all of its 2 ideas')]);
  expect((await quarry(args('remove', id))).child.exitCode).toBe(0);
  expect(JSON.parse((await quarry(args('list', '--json'))).stdout)).toEqual([]);
});

it(
  'begins with somebody’s own code, and is stopped by ^C without losing what was tried',
  async () => {
    const own = join(folder.path, 'own.ts');
    await writeFile(own, plain('my own'));
    const reached = Promise.withResolvers<void>();
    const server = await writer(() => void reached.resolve());
    const stopped = new QuarryProcess(args(own, '--server', server.url, '--tokens', '10000'));
    await reached.promise;
    await stopped.stop('SIGINT');
    expect([stopped.child.exitCode, stopped.stderr]).toEqual([
      130,
      expect.stringContaining('To go on: quarry optimise --resume'),
    ]);
    expect(server.asked[0]).toContain('idea: my own');
    const [run] = JSON.parse((await quarry(args('list', '--json'))).stdout);
    expect(run).toMatchObject({ state: 'stopped', isOwn: true, attempts: 1, best: { number: 0 } });
    const shown = await quarry(args('show', run.id, '--source'));
    expect(shown.stdout.trim()).toBe(plain('my own').trim());
  },
  MOST_MS,
);
