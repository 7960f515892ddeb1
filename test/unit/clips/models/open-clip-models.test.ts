import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { clipModels } from '../../../../src-main/clips/models/clip-model-settings.ts';
import { readClipModel } from '../../../../src-main/clips/models/files/model-manifest.ts';
import { openClipModels } from '../../../../src-main/clips/models/open-clip-models.ts';
import { tinyModelFolder } from '../../../support/tiny-clip-models.ts';

const log = pino({ level: 'silent' });
const never = new AbortController().signal;
const ready = (models: Awaited<ReturnType<typeof openClipModels>>) =>
  models.abilities.filter(({ isReady }) => isReady).map(({ ability }) => ability);

describe('what makes numbers and words of clips', () => {
  it('is missing where nothing was fetched, and says what is lost', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
    const models = await openClipModels({ settings: clipModels.parse({}), folder: folder.path, log });
    expect(models).toMatchObject({ vectors: null, thresholds: null });
    expect(models.listeners).toMatchObject({ voice: null, words: null, speakers: null });
    expect(models.abilities.map(({ ability }) => ability)).toEqual([
      'pictures',
      'texts',
      'sounds',
      'scores',
      'speech',
      'speakers',
    ]);
    for (const { isReady, by, lost, hint } of models.abilities) {
      expect({ isReady, by }).toEqual({ isReady: false, by: null });
      expect(lost?.said?.text).toBeDefined();
      expect(hint?.text).not.toBe('');
    }
    expect(await models.localCaptioner.describe({ title: 'A title', video: null, words: null }, never)).toBe(
      'A title.',
    );
    await models.close();
  });

  it.skipIf(process.platform === 'win32')(
    'waits for no pipe and no device that lies where a folder says what it is',
    async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
      for (const name of ['pipe', 'device']) await mkdir(join(folder.path, name));
      execFileSync('mkfifo', [join(folder.path, 'pipe', 'quarry-clip-model.json')]);
      await symlink('/dev/zero', join(folder.path, 'device', 'quarry-clip-model.json'));
      for (const kind of ['pipe', 'device'])
        await expect(readClipModel(join(folder.path, kind), 'pictures')).rejects.toMatchObject({
          code: 'MODEL_INVALID',
        });
    },
  );

  it('is found by the name of a folder among those that were fetched, or by its path', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
    await cp(tinyModelFolder('tiny-pictures'), join(folder.path, 'mine'), { recursive: true });
    const settings = clipModels.parse({ pictures: 'mine', sounds: tinyModelFolder('tiny-sounds') });
    const models = await openClipModels({ settings, folder: folder.path, log });
    expect(models.vectors?.space).toMatch(/^tiny-pictures@[0-9a-f]{12}\+tiny-sounds@[0-9a-f]{12}#reading\d+$/);
    expect(ready(models)).toEqual(['pictures', 'texts', 'sounds', 'scores']);
    expect(models.abilities[0]?.by).toBe('tiny-pictures (MIT)');
    expect(models.thresholds).toMatchObject({ closest: 0.5, same: expect.any(Number) });
    const [texts] = (await models.vectors?.texts(['a red circle'], never)) ?? [];
    expect(texts?.seen).toHaveLength(64);
    await models.close();
    await models.close();
    expect(models.vectors?.pid).toBeUndefined();
  });

  it('says what is wrong with a folder, and goes on without it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'quarry-clip-models-'));
    await writeFile(join(folder.path, 'quarry-clip-model.json'), '{}');
    const settings = clipModels.parse({ pictures: folder.path, sounds: 'none' });
    const models = await openClipModels({ settings, folder: folder.path, log });
    expect(models.abilities[0]?.hint?.text).toContain(folder.path);
    expect(ready(models)).toEqual([]);
    await models.close();
  });
});
