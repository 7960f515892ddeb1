import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sha256OfFile } from '../../src-main/base/sha256.ts';
import { type HollowShape, writeHollowModel } from '../support/hollow-model.ts';
import { ModelServer } from '../support/model-server.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

/** 15 MB: long enough to be cut off in the middle. */
const SHAPE: HollowShape = {
  architecture: 'qwen3',
  name: 'hollow',
  layers: 4,
  embedding: 512,
  heads: 8,
  kvHeads: 4,
  headSize: 64,
  feedForward: 1024,
  contextLength: 2048,
  type: 'F16',
  vocabulary: 400,
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ModelServer;
let bootstrap: QuarryProcess;
let address = '';
let sha256 = '';
let catalogue = '';

/** A web server that has one model, a catalogue that knows it, and a meeting point. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const file = join(folder.path, 'served.gguf');
  await writeHollowModel(file, SHAPE);
  sha256 = await sha256OfFile(file);
  server = new ModelServer(file);
  await server.open();
  catalogue = join(folder.path, 'catalogue.json');
  const facts = {
    title: 'Hollow',
    description: 'All zeros.',
    use: 'chat',
    parameters: 7_000_000,
    chatTemplate: 'none',
  };
  const entry = { ...facts, quantisation: 'F16', contextLength: 2048, licence: 'mit', repository: 'me/hollow' };
  const known = { ...entry, name: 'hollow', file: 'hollow.gguf', bytes: (await stat(file)).size, sha256 };
  const pinned = { ...entry, name: 'unpinned', file: 'unpinned.gguf' };
  await writeFile(catalogue, JSON.stringify({ models: [known, pinned] }));
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
});

afterAll(async () => {
  await bootstrap?.stop();
  await server?.close();
  await folder?.remove();
});

let started: QuarryProcess[] = [];
afterEach(async () => {
  server.delayMs = 0;
  for (const command of started) await command.stop('SIGKILL');
  started = [];
});

const data = (name: string) => join(folder.path, name);
const settings = () => ({
  QUARRY_MODELS_ENDPOINT: server.url,
  QUARRY_MODELS_CATALOGUES: catalogue,
  QUARRY_SHARING_UPLOAD_LIMIT: '1000000000',
});

function begin(name: string, args: string[]): QuarryProcess {
  const command = new QuarryProcess([...args, '--data', data(name), '--bootstrap', address], settings());
  started.push(command);
  return command;
}

/** What a command prints with `--json`, once it ended well. */
async function json(name: string, args: string[]) {
  const command = await quarry([...args, '--json', '--data', data(name), '--bootstrap', address], settings());
  if (command.child.exitCode !== 0) throw new Error(command.stderr);
  return JSON.parse(command.stdout);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

describe('quarry models', () => {
  it('downloads a model, serves it, moves it to another folder, finds it damaged, and removes it', async () => {
    const pulled = await quarry(['models', 'pull', 'hollow', '--from', 'http', '--data', data('one')], settings());
    expect(pulled.stdout).toContain('hollow is here');
    expect(await json('one', ['ask', '--local', 'Hi', '--max-tokens', '2'])).toMatchObject({ completionTokens: 2 });
    await json('one', ['models', 'move', data('elsewhere')]);
    expect(await json('one', ['models', 'list'])).toMatchObject([{ name: 'hollow', sha256, selected: true }, {}]);
    const path = join(data('elsewhere'), 'hollow.gguf');
    const bytes = await readFile(path);
    bytes.writeUInt8(1, bytes.length - 1);
    await writeFile(path, bytes);
    const verified = await quarry(['models', 'verify', 'hollow', '--json', '--data', data('one')], settings());
    expect(verified.child.exitCode).toBe(1);
    expect(JSON.parse(verified.stderr).error).toMatchObject({ code: 'MODEL_INVALID' });
    await json('one', ['models', 'remove', 'hollow']);
    expect(existsSync(path)).toBe(false);
  });

  it('goes on with a download after kill -9, and asks only for what is missing', async () => {
    server.delayMs = 30;
    const killed = begin('killed', ['models', 'pull', 'hollow', '--from', 'http']);
    const state = join(data('killed'), 'models', 'hollow.download.json');
    const done = async () => JSON.parse((await readFile(state, 'utf8').catch(() => '{}')) || '{}').done ?? [];
    await until(async () => (await done()).length > 0);
    await killed.stop('SIGKILL');
    const kept = (await done()) as { start: number; end: number }[];
    expect(existsSync(join(data('killed'), 'models', 'hollow.gguf'))).toBe(false);
    server.delayMs = 0;
    server.ranges.length = 0;
    expect(await json('killed', ['models', 'pull', 'hollow', '--from', 'http'])).toMatchObject({ state: 'done' });
    const asked = server.ranges.map((range) => /(\d+)-(\d+)/.exec(range)?.slice(1).map(Number) ?? []);
    for (const [first = 0, last = 0] of asked.filter(([, end]) => end !== 0)) {
      expect(
        kept.some(({ start, end }) => first < end && last >= start),
        `${first}-${last}`,
      ).toBe(false);
    }
  });

  it('pauses on Ctrl+C and says how to go on', async () => {
    server.delayMs = 50;
    const command = begin('paused', ['models', 'pull', 'hollow', '--from', 'http']);
    await until(() => existsSync(join(data('paused'), 'models', 'hollow.partial')));
    await command.stop('SIGINT');
    expect(command.child.exitCode).toBe(130);
    expect(command.stderr).toContain('nothing is lost');
    expect(command.stderr).toContain('models pull hollow');
    expect(await json('paused', ['models', 'downloads'])).toMatchObject([{ name: 'hollow', state: 'paused' }]);
  });

  it('downloads from an address, refuses a wrong hash, and says which model a name may have meant', async () => {
    const url = `${server.url}/any/where/My-Model.gguf?download=true`;
    const wrong = await quarry(['models', 'add', url, '--sha256', '0'.repeat(64), '--json', '--data', data('wrong')]);
    expect(wrong.child.exitCode).toBe(1);
    expect(JSON.parse(wrong.stderr).error.message).toContain(sha256);
    expect(await json('add', ['models', 'add', url])).toMatchObject({ name: 'My-Model', state: 'done' });
    const typo = await quarry(['models', 'pull', 'holow', '--from', 'http', '--data', data('add')], settings());
    expect(typo.stderr).toContain('«hollow»');
  });

  it('shares with others: what the catalogue knows with anybody, what it does not only on the user’s word', {
    tags: ['long'],
    timeout: 600_000, // eight commands, each a process: a busy machine takes its time for them
  }, async () => {
    await json('seeder', ['models', 'pull', 'hollow', '--from', 'http']);
    const seeder = begin('seeder', ['start', '--role', 'client', '--port', '0']);
    await seeder.printed(/Ready/);
    expect(await json('seeder', ['models', 'share', 'hollow'])).toMatchObject({ state: 'shared' });
    server.ranges.length = 0;
    expect(await json('fetcher', ['models', 'pull', 'hollow', '--from', 'peers'])).toMatchObject({ state: 'done' });
    expect(server.ranges).toEqual([]);
    const pull = ['models', 'pull', 'hollow', '--json', '--data', data('careful'), '--bootstrap', address];
    const refused = await quarry(pull); // this node does not have the catalogue
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'UNAUTHORIZED' });
    const trusting = await quarry([...pull, '--trust']);
    expect(JSON.parse(trusting.stdout)).toMatchObject({ name: 'hollow', state: 'done' });
  });
});
