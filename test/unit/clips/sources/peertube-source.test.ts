import { expect, it } from 'vitest';
import { PeerTubeSource } from '../../../../src-main/clips/sources/peertube-source.ts';
import type { PoliteClient } from '../../../../src-main/clips/sources/polite-client.ts';
import { recorded } from '../../../support/clip-sources-server.ts';

const NAMED = 'http://127.0.0.1:9000';
const signal = new AbortController().signal;

it('a server elsewhere has nothing fetched from the one that the settings name, which may be on this computer', async () => {
  const asked: string[] = [];
  const details = recorded('peertube-video.json').replaceAll('https://peertube.example', 'https://evil.example');
  const inside = details.replaceAll(/"fileUrl": ?"[^"]*"/g, `"fileUrl":"${NAMED}/api/v1/users/me"`);
  expect(inside).toContain('users/me');
  const client: Pick<PoliteClient, 'get' | 'json'> = {
    get: async (url) => {
      asked.push(url.href);
      throw new Error('asked');
    },
    json: async (_, schema) => schema.parse(JSON.parse(inside)) as never,
  };
  const source = new PeerTubeSource({ client, instance: NAMED });
  const id = `evil.example/${JSON.parse(inside).uuid}`;
  const fetched = source.fetch(id, '/nowhere/video', { mostSeconds: 1, mostBytes: 1, signal });
  await expect(fetched).rejects.toMatchObject({ code: 'DOWNLOAD_FAILED' });
  expect(asked).toEqual([]);
});
