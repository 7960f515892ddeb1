import { mkdtemp, readdir, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { ifMissing } from '../../src-main/base/swallowed.ts';
import { HttpClient } from '../../src-main/models/downloads/http-client.ts';
import { HttpSource } from '../../src-main/models/downloads/http-source.ts';
import { byteSourceContract, CONTENT, type SourcePlace, type SourceState } from '../support/byte-source-contract.ts';
import { PeersDouble } from '../support/download-node.ts';
import { modelOf, openSharingNode, removeFolder, shareNow } from '../support/sharing-node.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';
import { UnrulyServer } from '../support/unruly-server.ts';

describe('a web server as a source of bytes', () => {
  byteSourceContract(async (state) => {
    const server = await new UnrulyServer(CONTENT).open();
    const client = new HttpClient({
      userAgent: 'quarry/test',
      isNamed: () => true,
      stallMs: state === 'silent' ? 500 : undefined,
      proxies: { httpProxy: '', httpsProxy: '' },
    });
    const quirks = {
      whole: undefined,
      silent: { stallAfter: 70_000 },
      'cut short': { content: CONTENT.subarray(0, 9) },
    };
    return {
      source: new HttpSource(new URL(`${server.origin}/model.gguf`), client),
      held: () => server.answering,
      spoil: () => {
        server.quirk = () => quirks[state];
      },
      close: async () => {
        await client.close();
        await server.close();
      },
    };
  });
});

describe('peers as a source of bytes', () => {
  let testnet: Testnet;
  beforeAll(async () => {
    testnet = await openTestnet();
  });
  afterAll(() => testnet.close());

  byteSourceContract(async (state: SourceState): Promise<SourcePlace> => {
    const dir = await mkdtemp(join(tmpdir(), 'quarry-byte-sources-'));
    const model = await modelOf(dir, CONTENT);
    // One byte a second is as good as none.
    const uploadLimit = state === 'silent' ? 1 : undefined;
    const seeder = await openSharingNode({ bootstrap: testnet.bootstrap, uploadLimit });
    await shareNow(seeder, model);
    const reader = await openSharingNode({ bootstrap: testnet.bootstrap });
    const source = reader.sharing.source({ name: 'model', urls: [], sha256: model.sha256 });
    const fetching = join(reader.dir, 'shared-models', 'fetching');
    return {
      source,
      held: async () => ((await readdir(fetching).catch(ifMissing)) ?? []).length,
      spoil: async () => {
        if (state === 'cut short') await truncate(model.path, 100_000);
      },
      close: async () => {
        await reader.close();
        await seeder.close();
        for (const folder of [dir, reader.dir, seeder.dir]) await removeFolder(folder);
      },
    };
  });
});

describe('the double of peers as a source of bytes', () => {
  byteSourceContract(async (state) => {
    const most = state === 'whole' ? Number.POSITIVE_INFINITY : 65_536;
    return {
      source: new PeersDouble(CONTENT, most),
      held: () => 0,
      spoil: () => undefined,
      close: async () => undefined,
    };
  });
});
