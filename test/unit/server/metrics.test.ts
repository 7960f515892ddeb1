import { describe, expect, it } from 'vitest';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { chat, endless, fails, openServer, raw } from './server-harness.ts';

/** The value of each line of a scrape. */
async function scrape(url: string): Promise<Map<string, number>> {
  const { text, headers, status } = await raw(`${url}/metrics`);
  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

const CHAT = 'endpoint="/v1/chat/completions"';

describe('GET /metrics', () => {
  it('counts requests by model and status, tokens and times', async () => {
    const { url, generator } = await openServer();
    await raw(`${url}/v1/chat/completions`, { body: chat() });
    await raw(`${url}/v1/chat/completions`, { body: chat(undefined, { stream: true }) });
    await raw(`${url}/v1/chat/completions`, { body: { ...chat(), model: 'x"y\n' } });
    generator.script = () => fails(new QuarryError({ code: 'OVERLOADED', message: 'busy' }));
    await raw(`${url}/v1/chat/completions`, { body: chat() });
    const values = await scrape(url);
    expect(values.get(`quarry_requests_total{${CHAT},model="tiny",status="200"}`)).toBe(2);
    expect(values.get(`quarry_requests_total{${CHAT},model="tiny",status="503"}`)).toBe(1);
    expect(values.get(`quarry_requests_total{${CHAT},model="unknown",status="404"}`)).toBe(1);
    expect(values.get('quarry_tokens_total{model="tiny",kind="prompt"}')).toBe(10);
    expect(values.get('quarry_tokens_total{model="tiny",kind="completion"}')).toBe(4);
    expect(values.get('quarry_time_to_first_token_seconds_sum{model="tiny"}')).toBeCloseTo(0.06);
    expect(values.get('quarry_tokens_per_second_count{model="tiny"}')).toBe(2);
  });

  it('counts clients that went away', async () => {
    const { client, generator, url } = await openServer();
    const { script, aborted } = endless();
    generator.script = script;
    const stream = await client.chat.completions.create({
      model: 'tiny',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    for await (const _ of stream) break;
    await aborted;
    const gone = `quarry_requests_total{${CHAT},model="tiny",status="499"}`;
    await expect.poll(async () => (await scrape(url)).get(gone)).toBe(1);
  });

  it('reports the state of the node and of the process', async () => {
    let peers = 3;
    const reading = { queue: { waiting: 4, active: 2 }, healthScore: 87, engine: { state: 'ready', restarts: 1 } };
    const served = { requests: 10, tokens: 200, refused: 1 };
    const { url } = await openServer({ collect: () => ({ ...reading, waits: [], served, peers: peers++ }) });
    const first = await scrape(url);
    expect(first.get('quarry_queue_waiting')).toBe(4);
    expect(first.get('quarry_health_score')).toBe(87);
    expect(first.get('quarry_peers')).toBe(3);
    expect(first.get('quarry_engine_state{state="ready"}')).toBe(1);
    expect(first.get('quarry_engine_restarts_total')).toBe(1);
    expect(first.get('quarry_mesh_tokens_total')).toBe(200);
    expect(first.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(first.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect((await scrape(url)).get('quarry_peers')).toBe(4);
  });

  it('reports the waits of each tier against its target', async () => {
    const waits = [
      { tier: 'gold', meanMs: 1_500, maxMs: 4_000, targetMs: 3_000, withinTarget: 0.75 },
      { tier: 'newcomer', meanMs: 8_000, maxMs: 9_000 },
    ];
    const reading = { queue: { waiting: 0, active: 0 }, peers: 0, engine: { state: 'ready', restarts: 0 } };
    const served = { requests: 0, tokens: 0, refused: 0 };
    const { url } = await openServer({ collect: () => ({ ...reading, served, waits }) });
    const values = [...(await scrape(url))].filter(([name]) => name.startsWith('quarry_queue_wait_'));
    expect(Object.fromEntries(values)).toEqual({
      'quarry_queue_wait_mean_seconds{tier="gold"}': 1.5,
      'quarry_queue_wait_mean_seconds{tier="newcomer"}': 8,
      'quarry_queue_wait_max_seconds{tier="gold"}': 4,
      'quarry_queue_wait_max_seconds{tier="newcomer"}': 9,
      'quarry_queue_wait_target_seconds{tier="gold"}': 3,
      'quarry_queue_wait_within_target_ratio{tier="gold"}': 0.75,
    });
  });

  it('shows one engine state at a time', async () => {
    let state = 'ready';
    const reading = { queue: { waiting: 0, active: 0 }, peers: 0, served: { requests: 0, tokens: 0, refused: 0 } };
    const { url } = await openServer({ collect: () => ({ ...reading, waits: [], engine: { state, restarts: 0 } }) });
    await scrape(url);
    state = 'restarting';
    const states = [...(await scrape(url)).keys()].filter((key) => key.startsWith('quarry_engine_state'));
    expect(states).toEqual(['quarry_engine_state{state="restarting"}']);
  });

  it('still answers when the node cannot be read', async () => {
    const { url } = await openServer({
      collect: () => {
        throw new Error('no');
      },
    });
    expect((await scrape(url)).has('process_cpu_seconds_total')).toBe(true);
  });
});
