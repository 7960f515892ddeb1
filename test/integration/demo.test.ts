/** @module-tag long */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demo as perform } from '../../src-main/app/demo/demo.ts';
import type { DemoScene } from '../../src-main/app/demo/scenes.ts';
import { sha256OfFile } from '../../src-main/base/sha256.ts';
import { PAIR_CAP_A_DAY } from '../../src-main/credits/score/score.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { freePort } from '../support/free-port.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

const FAST = { questionMs: 10, questions: 12, emptyMs: 0, queueMs: 100, rushSpeed: 0.2 };
/** Milliseconds: claims are made every half a minute, and two of them may be wanted. */
const LONG_MS = 600_000;
const FIRST_FRIENDS = ['ada', 'ben', 'cleo', 'dora', 'emil'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
let demo: QuarryProcess | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'demo');
});
afterEach(async () => {
  await demo?.stop('SIGKILL');
  await folder.remove();
});

type Of<Type extends DemoScene['type']> = Extract<DemoScene, { type: Type }>;

function only<Type extends DemoScene['type']>(scenes: DemoScene[], type: Type): Of<Type>[] {
  return scenes.filter((scene): scene is Of<Type> => scene.type === type);
}

/** What has to be seen: each is told of what really happened, see the nodes' own books. */
const WANTED: Record<string, (scenes: DemoScene[]) => boolean> = {
  'clients of several tiers': (scenes) => new Set(only(scenes, 'answer').map(({ tier }) => tier)).size >= 3,
  'a queue that grows': (scenes) => only(scenes, 'queue').some(({ waiting }) => waiting > 0),
  'and shrinks': (scenes) => only(scenes, 'queue').some(({ state, waiting }) => state === 'over' && waiting === 0),
  'a file': (scenes) => only(scenes, 'file').length > 0,
  'a death': (scenes) => only(scenes, 'death').length > 0,
  'somebody in its place': (scenes) => only(scenes, 'post').some(({ before }) => before !== undefined),
  'a liar': (scenes) => only(scenes, 'liar').length > 0,
  'somebody who can give no more points': (scenes) => only(scenes, 'leaving').length > 0,
  'points after that': (scenes) =>
    only(scenes.slice(scenes.findIndex(({ type }) => type === 'leaving') + 1), 'answer').some(
      ({ worker, points = 0 }) => worker === 'demo-worker' && points > 0,
    ),
  'a tier that others see': (scenes) =>
    only(scenes, 'standing').some(({ tier, seenBy }) => seenBy.some((other) => other.tier === tier)),
};

async function watch(seenAll: (scenes: DemoScene[]) => boolean): Promise<DemoScene[]> {
  const end = new AbortController();
  const config = { ...loadConfig({ flags: { dataDir: data } }), port: 0, model: 'tiny', threads: 1 };
  const scenes: DemoScene[] = [];
  for await (const scene of perform({ config, folder: data, models: join(data, 'none'), pace: FAST }, end.signal)) {
    scenes.push(scene);
    if (seenAll(scenes)) end.abort();
  }
  return scenes;
}

describe('a demonstration', () => {
  it('shows every side of a mesh, and the worker that one watches keeps earning', { timeout: LONG_MS }, async () => {
    const scenes = await watch((seen) => Object.values(WANTED).every((isThere) => isThere(seen)));
    expect(only(scenes, 'failure')).toEqual([]);

    expect(only(scenes, 'ready')[0]).toMatchObject({ worker: 'demo-worker', real: false, friends: FIRST_FRIENDS });
    const counted = only(scenes, 'answer').filter(({ worker, points = 0 }) => worker === 'demo-worker' && points > 0);
    expect(counted.length).toBeGreaterThan(PAIR_CAP_A_DAY);
    expect(only(scenes, 'leaving')[0]?.receipts).toBeGreaterThanOrEqual(PAIR_CAP_A_DAY);

    const [file] = only(scenes, 'file');
    expect(file).toMatchObject({ from: 'demo-worker', sha256: await sha256OfFile(join(data, 'practice-copy.gguf')) });
    expect(only(scenes, 'death')[0]).toMatchObject({
      by: 'demo-worker',
      reason: expect.stringMatching(/engine|connection/),
    });
    const [liar] = only(scenes, 'liar');
    expect(liar?.detail).toBe(`it claims ${liar?.claimed} points; its log proves 29`);
    expect(liar?.foundBy).toContain('demo-worker');
    expect(liar?.foundBy.length).toBeGreaterThan(1);

    const left = await readdir(data);
    expect(left).toEqual(expect.arrayContaining(['demo-worker', 'you', 'quarry-demo.txt']));
    expect(left.filter((name) => name.startsWith('liar'))).toEqual([]);
    expect(await readFile(join(data, 'demo-worker', 'quarry.toml'), 'utf8')).toMatch(/^nodeName = "demo-worker"$/m);
    expect(await readFile(join(data, 'you', 'quarry.toml'), 'utf8')).toMatch(/^nodeName = "you"$/m);
  });
});

/** The documents that `--json` prints, as far as they are whole. */
const documents = (text: string): DemoScene[] =>
  text.split(/(?<=^\}\n)/m).flatMap((one) => (one.endsWith('}\n') ? [JSON.parse(one) as DemoScene] : []));

describe('quarry start --demo', () => {
  it('tells what happens, answers the user’s own questions, and leaves nothing behind', async () => {
    const temporary = join(folder.path, 'tmp');
    await mkdir(temporary);
    demo = new QuarryProcess(['start', '--demo', '--port', '0', '--model', 'tiny'], {
      TMPDIR: temporary,
      QUARRY_DATA_DIR: join(folder.path, 'own'),
    });
    const [, api = ''] = await demo.printed(/curl (\S+)\/v1\/chat\/completions/);
    await demo.printed(/(demo-worker asks ada: .*?2 credits, \+\d+ points.*?){2}/s);
    const answer = await fetch(`${api}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'mesh', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8 }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ choices: [{ message: { role: 'assistant' } }] });

    await demo.stop('SIGINT');
    expect(demo.child.signalCode).toBeNull();
    expect(demo.child.exitCode).toBe(0);
    expect(await readdir(folder.path)).toEqual(['tmp']); // it leaves the user's own data alone
    expect((await readdir(temporary)).filter((name) => name.startsWith('quarry-demo-'))).toEqual([]);
  });

  it('ends and leaves nothing behind while it still starts', async () => {
    const temporary = join(folder.path, 'tmp');
    await mkdir(temporary);
    demo = new QuarryProcess(['start', '--demo', '--port', '0', '--model', 'tiny'], { TMPDIR: temporary });
    await demo.printed(/takes a moment to start/);
    await until(async () => expect(await readdir(temporary)).not.toEqual([]));
    await demo.stop('SIGINT');
    expect(demo.stdout).not.toContain('Ctrl+C stops');
    expect((await readdir(temporary)).filter((name) => name.startsWith('quarry-demo-'))).toEqual([]);
  });

  it('keeps its nodes below the folder that is named, and goes on there; the port is the worker’s', {
    tags: ['long', 'seldom'],
  }, async () => {
    const port = await freePort();
    const args = ['start', '--demo', '--json', '--model', 'tiny', '--port', String(port), '--data', data];
    const ids: string[] = [];
    for (const _ of ['first', 'again']) {
      demo = new QuarryProcess(args);
      await demo.printed(/"type": "post"[\s\S]*?\n\}\n/);
      await demo.stop('SIGINT');
      const [ready, ...others] = documents(demo.stdout);
      expect(ready).toMatchObject({ type: 'ready', url: `http://127.0.0.1:${port}`, folder: data });
      expect(others.map(({ type }) => type)).toContain('post');
      if (ready?.type === 'ready') ids.push(ready.id);
    }
    expect(new Set(ids).size).toBe(1);
    expect(await readdir(data)).toEqual(expect.arrayContaining(['demo-worker', ...FIRST_FRIENDS, 'you']));
  });

  it.each([
    ['holds a node of your own', 'identity.key'],
    ['is not empty', 'letters.txt'],
  ])('refuses a folder that %s', async (why, file) => {
    await mkdir(data);
    await writeFile(join(data, file), 'mine');
    const { child, stderr } = await quarry(['start', '--demo', '--model', 'tiny', '--data', data]);
    expect(child.exitCode).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toContain(why);
    expect(await readdir(data)).toEqual([file]);
  });
});
