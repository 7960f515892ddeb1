import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '../../../../src-main/models/downloads/http-client.ts';
import { DatasetServer } from '../../../../src-main/models/hub/dataset-server.ts';
import { RowServer } from '../../../support/row-server.ts';

const PART = { dataset: 'someone/some-rows', config: 'default', split: 'train' };
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

let server: RowServer;
let client: HttpClient;
beforeEach(async () => {
  server = await new RowServer(numbered(250)).open();
  const { origin } = new URL(server.url);
  client = new HttpClient({
    userAgent: 'quarry/test',
    isNamed: (asked) => asked === origin,
    proxies: { httpProxy: '', httpsProxy: '' },
    stallMs: 2_000,
  });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

async function fetched({ part = PART, deadlineMs = 60_000, signal = undefined as AbortSignal | undefined } = {}) {
  const rows: unknown[] = [];
  const asking = new DatasetServer({ endpoint: `${server.url}/`, client, firstRetryMs: 1, deadlineMs });
  for await (const page of asking.pages(part, signal)) rows.push(...page.rows.map(({ value }) => value));
  return rows;
}
const says =
  (body: string, status = 200, headers = {}) =>
  (response: ServerResponse) =>
    Boolean(response.writeHead(status, headers).end(body));

describe('rows of a server', () => {
  it('come page by page, in their order', async () => {
    expect(await fetched()).toEqual(server.rows);
    expect(server.asked.map((asked) => Object.fromEntries(asked))).toEqual(
      ['0', '100', '200'].map((offset) => ({ ...PART, offset, length: '100' })),
    );
    server.rows = [];
    expect(await fetched()).toEqual([]);
  });

  it('come in smaller pages where they are long', async () => {
    server.rows = Array.from({ length: 30 }, (_, n) => ({ n, text: 'x'.repeat(900_000) }));
    expect(await fetched()).toHaveLength(30);
    expect(server.asked.map((asked) => asked.get('length'))).toEqual(['100', '10', '10', '10']);
  });

  it('come although the server fails now and then, or asks for patience', async () => {
    server.instead = (response, number) => {
      const failure = [
        () => says('no', 500)(response),
        () => says('no', 429, { 'retry-after': '0' })(response),
        () => Boolean(response.destroy()),
      ][number % 4];
      return failure?.() ?? false;
    };
    expect(await fetched()).toEqual(server.rows);
  });

  it('are given up after some tries, and the reason is told', async () => {
    server.instead = says('no', 503);
    await expect(fetched()).rejects.toMatchObject({ code: 'RATE_LIMIT' });
    expect(server.asked).toHaveLength(5);
    server.instead = says('no', 500);
    await expect(fetched()).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      hint: expect.stringContaining('Try again'),
    });
    server.instead = () => false;
    const part = { ...PART, dataset: 'someone/else', split: 'test' };
    await expect(fetched({ part })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringMatching(/someone\/else, config «default», split «test»/),
    });
  });

  it.each<[string, (response: ServerResponse, number: number) => boolean]>([
    ['no JSON', says('<html>')],
    ['another shape', says('{"rows":{}}')],
    ['rows that were not asked for', (response) => says(server.page(7, 100))(response)],
    ['more rows than were asked for', (response) => says(server.page(0, 101))(response)],
    ['no rows where there should be some', (response, number) => number === 1 && says(server.page(100, 0))(response)],
    [
      'another number of rows each time',
      (response, number) => says(server.page(number * 100, 100, { num_rows_total: 1_000 + number }))(response),
    ],
    ['a row too deep for anybody', says(`{"num_rows_total":1,"rows":[{"row_idx":0,"row":${'['.repeat(500)}`)],
    ['fewer rows than there are', (response) => says(server.page(0, 250, { num_rows_total: -1 }))(response)],
  ])('that has %s is no such server', async (_, instead) => {
    server.instead = instead;
    await expect(fetched()).rejects.toMatchObject({ code: 'PROTOCOL', message: expect.stringContaining('127.0.0.1') });
    expect(server.asked.length).toBeLessThan(10);
  });

  it('are not waited for without an end, however many bytes come', async () => {
    const endless = (response: ServerResponse) => {
      response.writeHead(200);
      const more = () => void (response.destroyed || response.write('x'.repeat(1 << 20), () => setImmediate(more)));
      more();
      return true;
    };
    server.instead = endless;
    await expect(fetched()).rejects.toMatchObject({ code: 'PROTOCOL' });
    server.instead = (response) => Boolean(response.writeHead(200).write('{'));
    await expect(fetched({ deadlineMs: 50 })).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
  });

  it('are asked for no more once nobody wants them, also while it waits for another try', async () => {
    const ending = new AbortController();
    server.instead = (response) => {
      setTimeout(() => ending.abort(new Error('enough')), 20);
      return says('no', 429, { 'retry-after': '600' })(response);
    };
    await expect(fetched({ signal: ending.signal })).rejects.toThrow('enough');
    expect(server.asked).toHaveLength(1);
  });

  it('are not asked for where a server sends on to this computer or its network', async () => {
    server.instead = says('', 302, { location: 'http://169.254.169.254/rows' });
    await expect(fetched()).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
  });
});
