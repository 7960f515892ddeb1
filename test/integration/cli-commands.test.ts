import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DataDirLock } from '../../src-main/app/host/data-dir-lock.ts';
import { implementer } from '../../src-main/app/routes/implementer.ts';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import { withNode } from '../../src-main/cli/terminal/node-client.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { ownerOf } from '../support/owner.ts';
import { QuarryProcess, quarry, SLOW_ENGINE, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let bootstrap: QuarryProcess;
let address = '';
let node: QuarryProcess;
let url = '';

/** A private mesh with one miner of a single model. */
beforeAll(async () => {
  folder = await temporaryFolder();
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
  node = new QuarryProcess(['start', '--mine', '--port', '0', '--bootstrap', address, '--data', data('node')]);
  url = (await node.printed(/api +(\S+)\/v1/))[1] ?? '';
  await node.printed(/Ready/);
});

afterAll(async () => {
  await node?.stop();
  await bootstrap?.stop();
  await folder?.remove();
});

let started: QuarryProcess | undefined;
afterEach(async () => {
  await started?.stop('SIGKILL');
  started = undefined;
});

const CLI = resolve(import.meta.dirname, '../../src-main/cli.ts');
const data = (name: string) => join(folder.path, name);

function idle(name: string) {
  const interrupt = new AbortController();
  const config = loadConfig({ flags: { dataDir: data(name) }, env: {} });
  return { config, signal: interrupt.signal, abort: () => interrupt.abort() };
}

describe('a command beside a running node', () => {
  it('imports a file whose path is relative to where the command runs', async () => {
    await writeRandomModel(data('endless.gguf'), TINY_QWEN3, 1);
    const command = [CLI, 'models', 'import', 'endless.gguf', '--json', '--data', data('node')];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'endless' });
  });

  it('answers with the installed model that is asked for, and with no other', async () => {
    const ask = ['ask', '--local', 'Hi', '--max-tokens', '2', '--json', '--data', data('node')];
    const other = await quarry([...ask, '--model', 'nowhere']);
    expect(other.child.exitCode).toBe(1);
    expect(JSON.parse(other.stderr).error).toMatchObject({ code: 'MODEL_NOT_FOUND', field: 'model' });
    for (const model of ['tiny', 'endless'])
      expect((await quarry([...ask, '--model', model])).child.exitCode, model).toBe(0);
  });
});

it('says what was meant where a subcommand is mistyped, also of a command that does something without one', async () => {
  const { child, stderr } = await quarry(['credits', 'histroy', '--data', data('nowhere')]);
  expect([child.exitCode, stderr.split('\n').slice(0, 2)]).toEqual([
    1,
    ["error: unknown command 'histroy'", '(Did you mean history?)'],
  ]);
});

it('open finds no node where none runs, and makes none', async () => {
  const { child, stderr, stdout } = await quarry(['open', '--data', data('nowhere')]);
  expect([child.exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/quarry start --headless|quarry open --data/); // other tests may have nodes that run
  expect(existsSync(data('nowhere'))).toBe(false);
});

it('start says that the folder is taken before it loads anything', async () => {
  const { child, stdout, stderr } = await quarry(['start', '--headless', '--port', '0', '--data', data('node')]);
  expect([child.exitCode, stdout.trim()]).toEqual([1, expect.stringMatching(/^Quarry \S+$/)]);
  expect(stderr).toMatch(/is in use by process \d+/);
});

it('start says that a folder cannot be used before it loads anything', async () => {
  await writeFile(data('a-file'), '');
  const { child, stdout, stderr } = await quarry(['start', '--headless', '--port', '0', '--data', data('a-file')]);
  expect([child.exitCode, stdout.trim()]).toEqual([1, expect.stringMatching(/^Quarry \S+$/)]);
  expect(stderr).toContain(data('a-file'));
});

it('offers says meanwhile how many nodes it has found', async () => {
  const { child, stdout, stderr } = await quarry(['models', 'offers', '--wait', '0', '--data', data('node')]);
  expect([child.exitCode, stdout]).toEqual([0, 'No other node is in reach yet. --wait 30 looks longer.\n']);
  expect(stderr).toBe('Looking around for 0 ms: 0 nodes, 0 models\n');
});

describe('bad input', () => {
  it('is refused by the command line before anything is opened', async () => {
    const { child, stderr } = await quarry(['ask', 'Hi', '--seed', '5000000000', '--data', data('unused')]);
    expect(child.exitCode).toBe(1);
    expect(stderr).toMatch(/--seed.*from 0 to 4294967295/s);
  });

  it('is refused by the contract as BAD_REQUEST, with its field', async () => {
    const answer = await fetch(`${url}/rpc/inference/ask`, {
      method: 'POST',
      headers: { ...(await ownerOf(data('node'))), 'content-type': 'application/json' },
      body: JSON.stringify({ json: { target: 'local', messages: [{ role: 'user', content: 'Hi' }], seed: 5e9 } }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ json: { data: { code: 'BAD_REQUEST', field: 'seed' } } });
  });
});

it('logs an error without a name, and carries it as INTERNAL', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => lines.push(line) });
  const { os } = implementer(log);
  const status = os.node.status.handler(() => Promise.reject(new TypeError('undefined is not a function')));
  const call = createRouterClient({ status }).status();
  await expect(call).rejects.toMatchObject({ status: 500, data: { code: 'INTERNAL' } });
  expect(lines.join()).toContain('undefined is not a function');
});

describe('Ctrl+C', () => {
  it('ends a wait for peers at once and quietly', async () => {
    const lonely = ['--data', data('lonely'), '--bootstrap', address, '--mesh-name', 'nobody'];
    started = new QuarryProcess(['peers', '--wait', '60', ...lonely]);
    await until(() => access(data('lonely/node.json')));
    started.child.kill('SIGINT');
    expect(await started.ended()).toBe(130);
    expect(started.stderr + started.stdout).toBe('');
  });

  it('ends an answer at once and quietly', async () => {
    const model = data('endless.gguf');
    const ask = ['ask', '--local', 'Hi', '--max-tokens', '100000', '--model', model, '--data', data('asker')];
    started = new QuarryProcess(ask, SLOW_ENGINE);
    await started.printed(/\w+/);
    started.child.kill('SIGINT');
    expect(await started.ended()).toBe(130);
    expect(started.stderr).not.toMatch(/error|abort/i);
  });
});

describe('a data folder that another process holds', () => {
  it('is waited for while a node starts, until that says where it is', async () => {
    const lock = new DataDirLock(data('starting'));
    await lock.open();
    const { config, signal } = idle('starting');
    const found = withNode(config, {}, (client) => client.credits.summary(), signal);
    await sleep(100); // it has seen that there is no address yet
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"json":{"available":7}}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await lock.announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await found).toEqual({ available: 7 });
    server.close();
    await lock.close();
  });

  it('is not waited for once somebody interrupts', async () => {
    const lock = new DataDirLock(data('held'));
    await lock.open();
    const { config, signal, abort } = idle('held');
    const found = withNode(config, {}, (client) => client.credits.summary(), signal);
    abort();
    await expect(found).rejects.toMatchObject({ code: 'CANCELLED' });
    await lock.close();
  });

  it('is shared by commands one after the other', async () => {
    const commands = [1, 2].map(() => quarry(['credits', '--json', '--data', data('shared')]));
    const ends = await Promise.all(commands);
    expect(ends.map(({ child, stderr }) => stderr + child.exitCode)).toEqual(['0', '0']);
  });
});

describe('a checkout', () => {
  it('refuses the address of a port that cannot be', () => {
    const flags = (port: number) => ({ bootstrap: [`127.0.0.1:${port}`] });
    expect(loadConfig({ flags: flags(65_535), env: {} }).bootstrap).toHaveLength(1);
    expect(() => loadConfig({ flags: flags(99_999), env: {} })).toThrow(/bootstrap/);
  });
});

it('prints a document for each scene of a demonstration', async () => {
  started = new QuarryProcess(['start', '--demo', '--json', '--model', 'tiny', '--port', '0', '--data', data('demo')]);
  const [document] = await started.printed(/^\{.*?\n\}\n/s);
  expect(JSON.parse(document)).toMatchObject({ type: 'ready', model: 'tiny', url: expect.stringMatching(/^http:/) });
  await started.printed(/"type": "answer".*?\n\}\n/s);
  await started.stop('SIGINT');
  const documents = started.stdout.split(/(?<=^\}\n)/m).map((one) => JSON.parse(one).type);
  expect(documents.slice(0, 3)).toEqual(['ready', 'post', 'answer']);
});
