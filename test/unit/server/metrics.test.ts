import { describe, expect, it } from 'vitest';
import type { Figure } from '../../../src-main/server/figures.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { chat, endless, fails, openServer, raw, scrape } from '../../support/server-harness.ts';

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

  it('reports how the process is', async () => {
    const { url } = await openServer();
    const values = await scrape(url);
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  });

  it('reads the figures of the node anew at every scrape', async () => {
    const { url } = await openServer({ figures: counting() });
    expect((await scrape(url)).get('quarry_looks_total')).toBe(1);
    expect([...(await scrape(url))].filter(([name]) => name.includes('looks'))).toEqual([
      ['quarry_looks_total', 2],
      ['quarry_looks_by_day{day="2"}', 2],
    ]);
  });

  it('leaves a figure that cannot be read as it was', async () => {
    let broken = false;
    const read = () => {
      if (broken) throw new Error('no');
      return 1;
    };
    const { url } = await openServer({ figures: [{ name: 'quarry_some', help: 'Some.', read }] });
    expect((await scrape(url)).get('quarry_some')).toBe(1);
    broken = true;
    const values = await scrape(url);
    expect(values.get('quarry_some')).toBe(1);
    expect(values.has('process_cpu_seconds_total')).toBe(true);
  });
});

/** How often it was looked, and on which look. */
function counting(): Figure[] {
  let looks = 0;
  return [
    { name: 'quarry_looks_total', help: 'Looks.', kind: 'total', read: () => ++looks },
    { name: 'quarry_looks_by_day', help: 'Looks.', label: 'day', read: () => ({ [looks]: looks }) },
  ];
}
