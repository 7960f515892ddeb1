import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bandwidth } from '../../../../src-main/models/downloads/bandwidth.ts';
import { DiskRoom } from '../../../../src-main/models/downloads/disk-room.ts';
import { ModelDownload } from '../../../../src-main/models/downloads/download.ts';
import { PartialFile } from '../../../../src-main/models/downloads/partial-file.ts';
import { UnfinishedDownloads } from '../../../../src-main/models/downloads/unfinished-downloads.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-problems-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('what the screens word the problem of a failed download from', () => {
  it('is there when it failed', async () => {
    const partial = await PartialFile.create(folder, { name: 'qwen', urls: [] }, 'anywhere');
    const download = new ModelDownload(partial, {
      folder,
      sources: () => [],
      onChange: () => {},
      adopt: async () => {},
      bandwidth: new Bandwidth(),
      room: new DiskRoom(folder),
      log: pino({ enabled: false }),
    });
    await download.run();
    const said = {
      message: { key: 'download.nowhere', params: { name: 'qwen' } },
      hint: { key: 'download.giveAddress' },
    };
    expect(download.status()).toMatchObject({ state: 'failed', problem: { code: 'DOWNLOAD_FAILED', said } });
  });

  it('is there when it cannot be read', async () => {
    await writeFile(join(folder, 'qwen.download.json'), '{"version":2}');
    const unfinished = new UnfinishedDownloads(folder);
    expect(await unfinished.load()).toEqual([]);
    const said = { message: { key: 'download.newer' }, hint: { key: 'download.useNewer' } };
    expect(unfinished.unread).toMatchObject([{ name: 'qwen', state: 'failed', problem: { said } }]);
  });
});
