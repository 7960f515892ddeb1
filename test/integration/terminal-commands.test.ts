import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let bootstrap: QuarryProcess;
let address = '';
let node: QuarryProcess;
const data = (name = 'node') => join(folder.path, name);
/** Nodes are listed among the temporary files: those of this test in a place of their own. */
const env = () => ({ TMPDIR: folder.path, TEMP: folder.path });

const run = (...args: string[]) => quarry([...args, '--data', data()], env());
const start = (name: string) =>
  new QuarryProcess(
    ['start', '--headless', '--mine', '--port', '0', '--bootstrap', address, '--data', data(name)],
    env(),
  );

beforeAll(async () => {
  folder = await temporaryFolder();
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
  node = start('node');
  await node.printed(/Ready/);
});

let started: QuarryProcess | undefined;
afterEach(async () => {
  await started?.stop('SIGKILL');
  started = undefined;
});
afterAll(async () => {
  await node?.stop('SIGKILL');
  await bootstrap?.stop();
  await folder?.remove();
});

describe('quarry ps', () => {
  it('lists what this user runs, on other data folders too, with what is loaded', async () => {
    const { stdout } = await quarry(['ps', '--data', data('elsewhere')], env());
    expect(stdout).toMatch(/NODE +PROCESS +DOES +MODEL +RUNS ON +MEMORY +CONTEXT +REQUESTS +SINCE/);
    expect(stdout).toMatch(
      new RegExp(`node +${node.child.pid} +serving +tiny +\\S.* ~[\\d.]+ [kMG]B.* × [\\d,]+ +none`),
    );
    const [row, ...others] = JSON.parse((await run('ps', '--json')).stdout);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ dataDir: data(), pid: node.child.pid, url: expect.stringMatching(/^http:/) },
      ...{ memory: { ram: expect.any(Number), vram: 0 }, startedAt: expect.any(Number) },
      status: { role: 'miner', mining: { state: 'running' }, engine: { model: { name: 'tiny' } } },
    });
  });

  it('says so where none runs', async () => {
    const lonely = { TMPDIR: join(folder.path, 'nowhere'), TEMP: join(folder.path, 'nowhere') };
    const { stdout, child } = await quarry(['ps', '--data', data('elsewhere')], lonely);
    expect([child.exitCode, stdout]).toEqual([0, 'No node is running. Start one: quarry start\n']);
  });
});

describe('quarry models show', () => {
  it('tells everything of a model of this machine', async () => {
    const { stdout } = await run('models', 'show', 'tiny');
    for (const row of ['file', 'size', 'parameters', 'quantisation', 'context', 'memory', 'speed', 'SHA-256']) {
      expect(stdout).toMatch(new RegExp(`^  ${row} +\\S`, 'm'));
    }
    expect(stdout).toMatch(/came from +comes with Quarry/);
    const shown = JSON.parse((await run('models', 'show', 'tiny', '--json')).stdout);
    expect(shown).toMatchObject({
      ...{ name: 'tiny', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ...{ file: { tiny: true, origin: 'built-in', selected: true }, fit: { runs: expect.any(String) } },
    });
  });

  it('tells what the catalogue knows of one that is not here', async () => {
    const { stdout } = await run('models', 'show', 'qwen3-4b');
    expect(stdout).toMatch(/file +not on this machine/);
    expect(stdout).toMatch(/licence +\S[\s\S]*quarry models pull qwen3-4b/);
  });

  it('names a model that is near, and none that is not', async () => {
    expect((await run('models', 'show', 'tiney')).stderr).toContain('Did you mean «tiny»?');
    const { child, stderr } = await run('models', 'show', 'nosuch');
    expect(child.exitCode).toBe(1);
    expect(stderr).toContain('quarry models catalogue');
    expect(stderr).not.toContain('Did you mean');
  });
});

describe('quarry logs', () => {
  const entry = (msg: string, level = 30) => `${JSON.stringify({ level, time: Date.now(), msg })}\n`;

  it('shows the end of the log, and only what is serious enough', async () => {
    const { stdout } = await run('logs', '--lines', '2');
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d (debug|info|warn) /m);
    const raw = await run('logs', '--lines', '2', '--json');
    expect(
      raw.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    ).toHaveLength(2);
    await writeFile(join(data(), 'quarry.log'), entry('it broke', 50), { flag: 'a' });
    await writeFile(join(data(), 'quarry.log'), entry('it goes on'), { flag: 'a' });
    const errors = await run('logs', '--level', 'error', '--lines', '1');
    expect(errors.stdout).toMatch(/^\S+ error it broke\n$/);
  });

  it('follows it, also when it is set aside for a new file, until Ctrl+C', async () => {
    const log = join(data('logged'), 'quarry.log');
    await quarry(['credits', '--data', data('logged')], env()); // makes the folder
    await writeFile(log, entry('first'));
    started = new QuarryProcess(['logs', '-f', '--data', data('logged')], env());
    await started.printed(/first/);
    await rename(log, `${log}.1`);
    await writeFile(log, entry('second'));
    await started.printed(/second/);
    started.child.kill('SIGINT');
    expect(await started.ended()).toBe(0);
  });
});

/** Runs a chat over lines that are piped in. */
async function chat(lines: string[], ...args: string[]): Promise<QuarryProcess> {
  const command = new QuarryProcess(['chat', ...args, '--max-tokens', '4', '--seed', '1'], env());
  command.child.stdin?.end(`${lines.join('\n')}\n`);
  await command.ended();
  return command;
}

/** Documents that were printed one after the other. */
const documents = (text: string) =>
  text
    .split(/(?<=^\})\n/m)
    .filter((one) => one.trim())
    .map((one) => JSON.parse(one));

describe('quarry chat', () => {
  it('keeps what is said as a conversation of the running node, and knows what was said before', async () => {
    const { stdout, stderr, child } = await chat(
      ['Hello', '', '"""', 'two', 'lines', '"""'],
      'tiny',
      '--json',
      '--data',
      data(),
    );
    expect([child.exitCode, stderr]).toEqual([0, expect.stringContaining('tokens in')]);
    const [first, second, ...more] = documents(stdout);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ state: 'done', target: 'local', model: 'tiny', text: expect.any(String), paid: [] });
    expect(second.conversation).toBe(first.conversation);
    const saved = join(folder.path, 'talk.json');
    const going = await chat([`/save ${saved}`, '/save nowhere/at/all.md'], '--continue', '--data', data());
    expect(going.stdout).toBe(`Saved to ${saved}.\n`);
    expect([going.child.exitCode, going.stderr]).toEqual([1, expect.stringMatching(/cannot be written \(ENOENT\)/)]);
    const { turns } = JSON.parse(await readFile(saved, 'utf8'));
    expect(turns.map(({ text }: { text: string }) => text)).toEqual([
      ...['Hello', first.text],
      ...['two\nlines', second.text],
    ]);
  });

  it('asks the mesh where it is told to, and goes on when nobody answers', async () => {
    const { stdout, stderr, child } = await chat(['/mesh', '/nosuch', '/local', 'Hello'], 'tiny', '--data', data());
    expect(child.exitCode).toBe(1);
    expect(stderr).toContain('There is no command /nosuch.');
    expect(stdout).toMatch(/^From now on the mesh answers\.\nFrom now on this machine answers\.\n.+\n$/s);
  });

  it('works without a node, too', async () => {
    const { stdout, child, stderr } = await chat(
      ['Hello', '/exit', 'Nobody hears this'],
      '--local',
      '--data',
      data('alone'),
    );
    expect([child.exitCode, stderr]).toEqual([0, expect.stringMatching(/^\d tokens? in/)]);
    expect(stdout.trim()).not.toBe('');
  });

  it('says that a model is not to be had', async () => {
    const { child, stderr } = await chat(['Hello'], './nosuch.gguf', '--data', data('alone'));
    expect([child.exitCode, stderr]).toEqual([1, expect.stringContaining('nosuch.gguf')]);
  });
});

describe('quarry stop', () => {
  it('says that none runs where none does', async () => {
    const { child, stderr } = await quarry(['stop', '--data', data('elsewhere')], env());
    expect(child.exitCode).toBe(1);
    expect(stderr).toContain(`No node is running on ${data('elsewhere')}.`);
    expect(stderr).toContain('quarry ps');
  });

  it('ends the node wholly before it says so', async () => {
    started = start('stopped');
    await started.printed(/Ready/);
    const { child, stdout, stderr } = await quarry(['stop', '--data', data('stopped')], env());
    expect([child.exitCode, stdout]).toEqual([0, 'Stopped.\n']);
    expect(stderr).toContain(`process ${started.child.pid}`);
    await until(() => expect(started?.running).toBe(false));
    expect(started.child.exitCode).toBe(0);
    const left = JSON.parse((await quarry(['ps', '--json', '--data', data('stopped')], env())).stdout);
    expect(left.map(({ dataDir }: { dataDir: string }) => dataDir)).toEqual([data()]);
  });
});
