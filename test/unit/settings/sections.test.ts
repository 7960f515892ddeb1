import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SECTIONS } from '../../../src-main/settings/config-schema.ts';
import { appliesAtOnce, SETTINGS, settingAt, TABLES } from '../../../src-main/settings/config-settings.ts';

describe('the sections', () => {
  it('have no setting and no table in common', () => {
    const names = SECTIONS.flatMap(({ shape }) => Object.keys(shape));
    expect(new Set(names).size).toBe(names.length);
  });

  it('make the settings, those of no table first', () => {
    expect(SETTINGS.findLastIndex(({ path }) => !path.includes('.'))).toBeLessThan(
      SETTINGS.findIndex(({ path }) => path.includes('.')),
    );
    expect([...TABLES].sort()).toEqual([...new Set(SETTINGS.flatMap(({ path }) => tableOf(path)))].sort());
  });

  it('say what applies at once: it needs no list elsewhere', () => {
    const atOnce = SETTINGS.map(({ path }) => path).filter(appliesAtOnce);
    expect(
      atOnce
        .filter((path) => !/^(axon|policy|desktop|validator|market|competition|competitor|data|learning)\./.test(path))
        .sort(),
    ).toEqual(
      [
        'focus.boostedTasks',
        'focus.boostedTasksKey',
        'focus.diskBudget',
        'focus.excluded',
        'focus.idleMinutes',
        'focus.scorer.apiKey',
        'focus.scorer.baseUrl',
        'focus.scorer.beyondOne',
        'focus.scorer.model',
        'focus.scorer.picturesTo',
        'focus.showGuide',
        'language',
        'trade.dailyCap',
        'trade.hotkey',
        'trade.key',
        'trade.url',
        'trade.wallet',
        'mineOnStart',
        'model',
        'models.downloadLimit',
        'node.costPerKwh',
        'node.currency',
        'node.watts',
        'nodeName',
        'sharing.uploadLimit',
        'showWelcome',
      ].sort(),
    );
    const tables = SETTINGS.map(({ path }) => path).filter((path) =>
      /^(policy|desktop|validator|data|learning)\./.test(path),
    );
    expect(tables.filter((path) => !appliesAtOnce(path))).toEqual([]);
  });

  it('have a follower for whatever applies at once, but for what nobody holds', () => {
    const followed = sources().flatMap((source) =>
      [...source.matchAll(/\.follow\('([\w.]+)'\)/g)].map(([, path]) => path),
    );
    const atOnce = SETTINGS.filter((setting) => setting.atOnce === 'followed').map(({ path }) => path);
    const isFollowed = (path: string) => followed.some((one) => path === one || path.startsWith(`${one}.`));
    expect(atOnce.filter((path) => !isFollowed(path))).toEqual([]);
    expect(SETTINGS.filter((setting) => setting.atOnce === 'read anew').map(({ path }) => path)).toEqual([
      'mineOnStart',
      'showWelcome',
      'desktop.startMinimised',
      'focus.showGuide',
    ]);
  });

  it('send secrets to servers that a setting names', () => {
    const sent = SETTINGS.filter(({ sentTo }) => sentTo !== undefined);
    expect(sent.map(({ path, sentTo }) => [path, sentTo])).toEqual([
      ['models.token', 'models.endpoint'],
      ['remote.apiKey', 'remote.baseUrl'],
      ['validator.signerToken', 'validator.signerUrl'],
      ['focus.scorer.apiKey', 'focus.scorer.baseUrl'],
      ['data.captioner.apiKey', 'data.captioner.baseUrl'],
      ['data.upload.token', 'data.upload.endpoint'],
    ]);
    for (const { secret, sentTo = '' } of sent) expect([secret, settingAt(sentTo)?.secret]).toEqual([true, undefined]);
  });

  it('let a secret that cannot be read count as set, where its absence would be worse', () => {
    expect(SETTINGS.filter(({ standIn }) => standIn).map(({ path }) => path)).toEqual(['database', 'mesh.secret']);
  });
});

function sources(): string[] {
  const folder = resolve(import.meta.dirname, '../../../src-main');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}

function tableOf(path: string): string[] {
  const parts = path.split('.').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}
