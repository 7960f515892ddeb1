import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkClock } from '../../../src-main/hardware/doctor/clock.ts';
import { checkVersions } from '../../../src-main/hardware/doctor/doctor.ts';
import { checkGpu, checkModel } from '../../../src-main/hardware/doctor/engine.ts';
import { checkPort } from '../../../src-main/hardware/doctor/port.ts';
import { checkDatabase, checkDataDir, checkDisk } from '../../../src-main/hardware/doctor/storage.ts';
import type { GpuInfo } from '../../../src-main/hardware/report.ts';
import { lookAtServer } from '../../../src-main/store/results/results-db.ts';

const GIB = 1024 ** 3;
const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const task of cleanUp.splice(0).reverse()) await task();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-checks-'));
  cleanUp.push(() => rm(folder, { recursive: true }));
  return folder;
}

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('checkDatabase', () => {
  it('says which server answers', async () => {
    const result = await checkDatabase(async () => 'PostgreSQL 15.18');
    expect(result).toEqual({
      name: 'database',
      status: 'ok',
      found: 'PostgreSQL 15.18 answers.',
      said: { found: { key: 'doctor.database.answers', params: { server: 'PostgreSQL 15.18' } } },
    });
  });

  it('says why none does, and what to do', async () => {
    const result = await checkDatabase(() => lookAtServer('postgres://me:s3cret@127.0.0.1:1/results'));
    expect(result).toMatchObject({
      status: 'fail',
      found: 'The database postgres://me@127.0.0.1:1/results cannot be reached (ECONNREFUSED).',
      advice: expect.stringMatching(/PostgreSQL runs there/),
      said: { found: { key: 'results.refusedWith' }, advice: { key: 'results.checkServer' } },
    });
  });
});

describe('checkGpu', () => {
  const usable: GpuInfo = {
    name: 'RTX 4090',
    backend: 'cuda',
    vramTotal: 24 * GIB,
    vramFree: 20 * GIB,
    source: 'llama.cpp',
  };
  const idle: GpuInfo = { name: 'AMD Radeon RX 7800', source: 'systeminformation' };
  const virtual: GpuInfo = { name: 'QXL paravirtual graphic card', source: 'systeminformation' };
  const list = (...value: GpuInfo[]) => ({ value, source: 'llama.cpp' as const });

  it.each([
    ['is used', list(usable), -1, 'ok', /RTX 4090 \(cuda, 25\.8 GB \(21\.5 GB free\)\)/],
    ['is switched off', list(usable), 0, 'warn', /gpuLayers is 0/],
    ['is there but not usable', list(idle), -1, 'warn', /llama\.cpp cannot use it/],
    ['only draws', list(virtual), -1, 'ok', /There is no GPU/],
    ['is missing', list(), -1, 'ok', /There is no GPU/],
    ['cannot be looked at', { reason: 'no answer' }, -1, 'skip', /no answer/],
  ] as const)('when the GPU %s', (_, gpus, layers, status, found) => {
    const result = checkGpu(gpus as Parameters<typeof checkGpu>[0], layers);
    expect(result.status).toBe(status);
    expect(result.found).toMatch(found);
    if (status === 'warn') expect(result.advice).toMatch(/\w/);
  });
});

it('says which program was taken for a GPU by others', () => {
  const leftOut = [{ name: 'llvmpipe', reason: 'a program' }];
  const { status, found } = checkGpu({ value: [], source: 'systeminformation', leftOut }, -1);
  expect([status, found]).toEqual(['ok', expect.stringContaining('llvmpipe is a program')]);
});

describe('checkModel', () => {
  it('leads to a model that fits where there is none', () => {
    expect(checkModel([]).advice).toContain('quarry models recommend');
  });

  it.each([
    [
      'real models are there',
      [
        { name: 'qwen3-4b', tiny: false },
        { name: 'tiny', tiny: true },
      ],
      'ok',
      /qwen3-4b\.$/,
    ],
    ['only the built-in one is there', [{ name: 'tiny', tiny: true }], 'warn', /built-in/],
    ['none is there', [], 'warn', /no model/],
  ])('when %s', (_, models, status, found) => {
    const result = checkModel(models);
    expect(result.status).toBe(status);
    expect(result.found).toMatch(found);
  });
});

describe('checkDisk', () => {
  it.each([
    [6, 'ok'],
    [4, 'warn'],
    [0.5, 'fail'],
  ])('%d GiB free', (free, status) => {
    const disk = { path: '/data', total: 100 * GIB, free: free * GIB };
    expect(checkDisk({ value: disk, source: 'node' }).status).toBe(status);
  });

  it('is skipped when nobody knows', () => {
    expect(checkDisk({ reason: 'no answer' }).status).toBe('skip');
  });
});

describe('checkDataDir', () => {
  it('writes to the folder and leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    expect((await checkDataDir(folder)).status).toBe('ok');
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not make a folder that is not there yet', async () => {
    const folder = await temporaryFolder();
    const result = await checkDataDir(join(folder, 'later', 'quarry'));
    expect(result).toMatchObject({ status: 'ok', found: expect.stringMatching(/not there yet/) });
    expect(await readdir(folder)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'fails in a folder of somebody else',
    async () => {
      const folder = await temporaryFolder();
      await chmod(folder, 0o500);
      expect(await checkDataDir(folder)).toMatchObject({ status: 'fail', advice: expect.stringMatching(/--data/) });
    },
  );

  it('fails where a file is in the way', async () => {
    expect((await checkDataDir(import.meta.filename)).status).toBe('fail');
    expect((await checkDataDir(join(import.meta.filename, 'in', 'a', 'file'))).status).toBe('fail');
  });
});

describe('checkPort', () => {
  it('finds a port that another program holds', async () => {
    const port = await listen(createServer());
    const result = await checkPort('127.0.0.1', port);
    expect(result).toMatchObject({ status: 'fail', advice: expect.stringMatching(/--port/) });
    expect(result.found).toMatch(new RegExp(`Port ${port} .*another program`));
  });

  it('leaves a free port free', async () => {
    const port = await freePort();
    expect((await checkPort('127.0.0.1', port)).status).toBe('ok');
    expect(await listen(createServer(), port)).toBe(port);
  });

  it('is content when the holder is our own node', async () => {
    const port = await listen(createServer());
    expect((await checkPort('127.0.0.1', port, `http://127.0.0.1:${port}`)).status).toBe('ok');
  });

  it('tells where our own node is when another port is set, not that the other one is free', async () => {
    const result = await checkPort('127.0.0.1', await freePort(), 'http://127.0.0.1:8081');
    expect(result).toMatchObject({ status: 'ok', found: 'Quarry is running on http://127.0.0.1:8081.' });
    expect(result.advice).toMatch(/another port is set/i);
    expect((await checkPort('127.0.0.1', 0, 'http://127.0.0.1:8081')).advice).toBeUndefined();
    expect((await checkPort('127.0.0.1', 443, 'https://127.0.0.1')).advice).toBeUndefined();
  });

  it('fails for an address of another computer', async () => {
    expect(await checkPort('203.0.113.7', 0)).toMatchObject({ status: 'fail', advice: expect.stringMatching(/host/) });
  });
});

describe('checkClock', () => {
  it.each([
    [500, 'ok'],
    [-30_000, 'warn'],
    [300_000, 'fail'],
  ])('judges by the median of the peers: %d ms', async (offset, status) => {
    const result = await checkClock({ peerOffsets: async () => [offset, offset, 86_400_000, -86_400_000, offset] });
    expect(result.status).toBe(status);
  });

  it('says which way the clock is off', async () => {
    expect((await checkClock({ peerOffsets: async () => [20_000] })).found).toMatch(/20\.0 s behind/);
    expect((await checkClock({ peerOffsets: async () => [-20_000] })).found).toMatch(/20\.0 s ahead/);
  });

  it('asks a real web server for its Date header', async () => {
    const port = await listen(createHttpServer((_, response) => response.end()));
    const url = `http://127.0.0.1:${port}`;
    expect((await checkClock({ url })).status).toBe('ok');
    const late = () => Date.now() - 3_600_000;
    expect(await checkClock({ url, now: late })).toMatchObject({
      status: 'fail',
      found: expect.stringMatching(/behind/),
    });
  });

  it.each([
    ['nobody may be asked', {}],
    ['no peer is connected', { peerOffsets: async () => [] }],
    ['the node cannot be asked', { peerOffsets: async () => Promise.reject(new Error('gone')) }],
    ['the server cannot be reached', { url: 'http://127.0.0.1:1' }],
  ])('is skipped, with a reason, when %s', async (_, options) => {
    expect(await checkClock(options)).toMatchObject({ status: 'skip', advice: expect.stringMatching(/clockUrl/) });
  });
});

describe('checkVersions', () => {
  it.each([
    ['20.19.0', 'fail'],
    ['22.23.3', 'fail'],
    ['24.0.0', 'ok'],
    ['24.9.0', 'ok'],
  ])('Node %s', (node, status) => {
    expect(checkVersions('0.1.0', { ...process.versions, node }).status).toBe(status);
  });
});
