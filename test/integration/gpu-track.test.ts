import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { artefactOf, REFERENCE } from '../../src-main/subnets/quasar/gpu/artefact.ts';
import { FETCH } from '../../src-main/subnets/quasar/gpu/fetch-repository.ts';
import { IMAGE } from '../../src-main/subnets/quasar/gpu/gpu-container.ts';
import { judgeRepository } from '../../src-main/subnets/quasar/gpu/judge-repository.ts';
import { KeptTrees } from '../../src-main/subnets/quasar/gpu/kept-trees.ts';
import { lookForCard } from '../../src-main/subnets/quasar/gpu/look.ts';
import { makeRepository, repositoryFiles, standInImage } from '../support/gpu-repositories.ts';
import { type StandInEngine, standInEngine } from '../support/stand-in-docker.ts';

const seed = 'ab'.repeat(32);
let folder: string;
let engine: StandInEngine;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-gpu-'));
  engine = await standInEngine(folder, 'docker');
  await standInImage(folder);
  await engine.set({ images: [IMAGE] });
  await writeFile(join(folder, 'card'), '');
});
afterEach(async () => {
  expect(await engine.containers()).toEqual([]);
  engine.restorePath();
  await rm(folder, { recursive: true });
});

describe('whether repositories can be judged here', () => {
  it('is told with the first thing that is missing', async () => {
    expect(await lookForCard()).toEqual({ image: expect.stringMatching(/^sha256:/) });
    await rm(join(folder, 'card'));
    expect(await lookForCard()).toEqual({ closed: 'no-card' });
    await engine.set({ images: [] });
    expect(await lookForCard()).toEqual({ closed: 'no-image' });
    await engine.set({ down: true });
    expect(await lookForCard()).toEqual({ closed: 'no-engine' });
    await rm(join(folder, 'docker'));
    const path = process.env.PATH;
    process.env.PATH = folder;
    expect(await lookForCard()).toEqual({ closed: 'no-engine' });
    process.env.PATH = path;
  });
});

/** A repository of which the stand-in says something. @returns what is committed to */
async function repository(name: string, said: string) {
  const commit = await makeRepository(join(folder, name), repositoryFiles(`# said: ${said}\n`));
  return artefactOf({ url: `https://git.example/ann/${name}`, commit }) as Buffer;
}

const judge = (artefact: Uint8Array, baseline: Uint8Array = REFERENCE) =>
  judgeRepository(artefact, {
    ...{ track: 'gpu', baseline, seed, tokens: 100_000 },
    trees: new KeptTrees(join(folder, 'trees')),
  });

describe('a repository', () => {
  it('is measured beside the reference, each alone and in turns, and stays kept', async () => {
    const artefact = await repository('twice', 'speed = 2');
    expect(await judge(artefact)).toMatchObject({
      right: true,
      ratio: { median: expect.closeTo(2), low: expect.closeTo(2), pairs: 40 },
      tokensPerSecond: expect.closeTo(990_589, -3),
    });
    const runs = (await engine.runs()).map((args) => args.join(' '));
    const judged = runs.filter((run) => run.includes('random.seed(0)'));
    expect(judged).toHaveLength(4);
    for (const run of judged) expect(run).toContain('--gpus device=0 --network none');
    expect(runs.filter((run) => run.includes('--network bridge'))).toHaveLength(1);
    // It is taken away, and is what others are measured against.
    await rm(join(folder, 'twice'), { recursive: true });
    expect(await judge(await repository('thrice', 'speed = 3'), artefact)).toMatchObject({
      ratio: { median: expect.closeTo(1.5) },
    });
  });

  it.each([
    ['wrong', 'fault = wrong', 'wrong'],
    ['that dies, while the baseline does not', 'dies', 'died'],
    ['that says something in the place of the judge', 'forges', 'died'],
  ])('%s is refused', async (_, said, fault) => {
    expect(await judge(await repository('one', said))).toMatchObject({ right: false, fault });
  });

  it('that died once, of something else, is judged', async () => {
    expect(await judge(await repository('one', 'dies once'))).toMatchObject({ right: true });
  });

  it('that cannot be fetched is refused, unless it is this machine that has no network', async () => {
    const gone = artefactOf({ url: 'https://git.example/ann/gone', commit: 'ab'.repeat(20) }) as Buffer;
    expect(await judge(gone)).toMatchObject({ right: false, fault: 'fetch' });
    await writeFile(join(folder, 'no-network'), '');
    await expect(judge(gone)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });

  it('is not judged where the baseline fails, or there is no card any more: that is no word about it', async () => {
    const good = await repository('good', 'speed = 2');
    await expect(judge(good, await repository('bad', 'fault = wrong'))).rejects.toMatchObject({ code: 'INTERNAL' });
    await rm(join(folder, 'card'));
    await expect(judge(good)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    expect(await judge(Buffer.from('{}'))).toMatchObject({ right: false, fault: 'artefact' });
  });

  it('is not waited for when nobody wants it any more', async () => {
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    const judging = judgeRepository(await repository('one', 'speed = 2'), {
      ...{ track: 'gpu', baseline: REFERENCE, seed, tokens: 100_000, signal: abort.signal },
      trees: new KeptTrees(join(folder, 'trees')),
    });
    await expect(judging).rejects.toThrow('enough');
  });
});

describe('fetching a commit', () => {
  const fetched = (url: string, commit: string) =>
    spawnSync('sh', ['-c', FETCH, 'fetch', url, commit], { env: { ...process.env, TMPDIR: folder } });
  const namesIn = (tar: Buffer) => execFileSync('tar', ['-t'], { input: tar }).toString().trim().split('\n');

  it('brings its files as they are, and runs nothing of it', async () => {
    const here = join(folder, 'hooked');
    const files = { 'a.py': 'a = 1\n', '.gitattributes': '*.py filter=evil\n', '.gitmodules': '[submodule "x"]\n' };
    await makeRepository(here, files);
    await symlink('/etc/passwd', join(here, 'link.py'));
    const evil = join(folder, 'evil');
    execFileSync('git', ['-C', here, 'config', 'filter.evil.smudge', `touch ${evil}`]);
    execFileSync('git', ['-C', here, 'add', '--all']);
    const ann = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
    execFileSync('git', ['-C', here, ...ann, 'commit', '--quiet', '--message', 'A link']);
    const commit = execFileSync('git', ['-C', here, 'rev-parse', 'HEAD']).toString().trim();
    const { status, stdout } = fetched('https://git.example/ann/hooked', commit);
    expect([status, namesIn(stdout)]).toEqual([0, ['.gitattributes', '.gitmodules', 'a.py', 'link.py']]);
    expect(await readdir(folder)).not.toContain('evil');
    expect(await readFile(join(folder, 'git-calls'), 'utf8')).toContain('--depth 1 --no-tags --no-recurse-submodules');
  });

  it('fails for a commit that is not there', async () => {
    await makeRepository(join(folder, 'one'), { 'a.py': '' });
    expect(fetched('https://git.example/ann/one', 'ab'.repeat(20)).status).not.toBe(0);
  });
});
