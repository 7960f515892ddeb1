import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import { QuarryProcess, quarry, SLOW_ENGINE, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/** A node that a service manager ends in the middle of an answer. Its model never ends one by itself. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let bootstrap: QuarryProcess;
let address = '';
const started: QuarryProcess[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeRandomModel(join(folder.path, 'endless.gguf'), TINY_QWEN3, 1);
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
});

afterAll(async () => {
  for (const node of started) await node.stop('SIGKILL');
  await bootstrap?.stop();
  await folder?.remove();
});

async function startNode(name: string, drainSeconds: number) {
  const model = join(folder.path, 'endless.gguf');
  const fullSpeed = join(folder.path, `${name}-at-full-speed`);
  const node = new QuarryProcess(
    [
      'start',
      '--headless',
      '--mine',
      '--data',
      join(folder.path, name),
      '--bootstrap',
      address,
      '--port',
      '0',
      '--model',
      model,
    ],
    {
      QUARRY_DRAIN_SECONDS: String(drainSeconds),
      QUARRY_CONTEXT_SIZE: '4096',
      ...SLOW_ENGINE,
      QUARRY_TEST_FULL_SPEED: fullSpeed,
    },
  );
  started.push(node);
  const [, url = ''] = await node.printed(/api +(http:\S+)\/v1/);
  await node.printed(/Ready/);
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
  return { node, url, client, hurry: () => writeFile(fullSpeed, '') };
}

const asked = {
  model: 'local',
  messages: [{ role: 'user' as const, content: 'Tell me everything' }],
  stream: true as const,
};

/** A streamed answer that has begun, and what comes of it. */
async function begunAnswer(client: OpenAI, tokens: number) {
  const stream = await client.chat.completions.create({ ...asked, max_completion_tokens: tokens });
  const parts = stream[Symbol.asyncIterator]();
  await parts.next();
  const rest = (async () => {
    let finish: string | null | undefined;
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      finish = part.value.choices[0]?.finish_reason ?? finish;
    }
    return finish;
  })();
  return { rest };
}

async function metric(url: string, name: string): Promise<string | undefined> {
  const figures = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^${name} (.*)$`, 'm').exec(figures)?.[1];
}

describe.skipIf(process.platform === 'win32')('a node that is ended by SIGTERM', () => {
  it('gives the answers that it has begun, takes no others, says so to load balancers, and ends with 0', async () => {
    const { node, url, client, hurry } = await startNode('gentle', 600);
    const { rest } = await begunAnswer(client, 600);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    node.child.kill('SIGTERM');
    await until(async () => expect((await fetch(`${url}/healthz`)).status).toBe(503));
    await expect(client.chat.completions.create({ ...asked })).rejects.toMatchObject({ status: 503 });
    expect(node.running).toBe(true);
    await hurry();
    expect(await rest).toBe('length'); // to its last token
    expect(await node.ended()).toBe(0);
  });

  it('cuts off what has not ended in time, with an error that says so', async () => {
    const { node, client } = await startNode('hasty', 1);
    const { rest } = await begunAnswer(client, 3_000);
    const outcome = expect(rest).rejects.toThrow(/closing/);
    node.child.kill('SIGTERM');
    await outcome;
    expect(await node.ended()).toBe(0);
  });

  it('ends at once where nothing is under way', async () => {
    const { node } = await startNode('idle', 3_600);
    node.child.kill('SIGTERM');
    expect(await node.ended()).toBe(0);
  });

  it('answers a client of the mesh to the end, and leaves its books in order', async () => {
    const { node, url, hurry } = await startNode('miner', 600);
    const ask = new QuarryProcess([
      ...['ask', 'Tell me everything', '--max-tokens', '600', '--json'],
      ...['--data', join(folder.path, 'client'), '--bootstrap', address],
    ]);
    started.push(ask);
    await until(async () => expect(await metric(url, 'quarry_queue_active')).toBe('1'));
    node.child.kill('SIGTERM');
    await node.printed(/nothing new is taken/);
    await hurry();
    expect(await ask.ended()).toBe(0);
    expect(JSON.parse(ask.stdout)).toMatchObject({ completionTokens: 600 });
    expect(await node.ended()).toBe(0);
    const { stdout } = await quarry(['credits', 'verify', '--json', '--data', join(folder.path, 'miner')]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, openReservations: 0 });
  });
});
