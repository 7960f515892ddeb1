import { aboutSetting } from '../../../../src-main/settings/config-view.ts';
import type { Setting, SettingsView } from '../../../../src-preload/contract/settings.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';

/** The contract's `settings` out of a script: settings of each type. */
export function script(os: ScriptedOs['settings'], answers: ScriptedData): Script<'settings'> {
  return {
    list: os.list.handler(() => answers.settings),
    set: os.set.handler(({ input }) => {
      const settings = answers.settings.settings.map((setting) => {
        const value = input.changes[setting.path];
        if (value === undefined) return setting;
        if (value === null)
          return { ...setting, value: setting.defaultValue, origin: 'default' as const, isSet: false };
        const waitsForRestart = setting.applies === 'restart';
        return {
          ...setting,
          value: setting.secret ? undefined : value,
          origin: 'app' as const,
          isSet: true,
          waitsForRestart,
        };
      });
      answers.settings = { ...answers.settings, settings };
      return answers.settings;
    }),
    newApiToken: os.newApiToken.handler(() => ({ token: 'scripted-token-0123456789' })),
  };
}

/** Settings of each type; the real list comes from the configuration. */
export function scriptedSettings(): SettingsView {
  const setting = (path: string, value: unknown, more: Partial<Setting> = {}): Setting => ({
    path,
    type:
      typeof value === 'boolean'
        ? 'switch'
        : typeof value === 'number'
          ? 'number'
          : Array.isArray(value)
            ? 'list'
            : 'string',
    value,
    defaultValue: value,
    origin: 'default',
    secret: false,
    isSet: value !== undefined,
    description: `What ${path} is for.`,
    wanted: 'a value',
    applies: 'now',
    waitsForRestart: false,
    said: aboutSetting({ path, ...more }),
    ...more,
  });
  const actions = { choices: ['off', 'throttle', 'pause'] };
  return {
    restartNeeded: false,
    file: '/home/ada/.local/share/quarry/app-settings.json',
    settings: [
      setting('showWelcome', false),
      setting('learning.keep', true),
      setting('learning.when', 'idle', { choices: ['idle', 'always', 'asked'] }),
      setting('learning.use', true),
      setting('learning.trainer', 'here', { choices: ['here', 'torch', 'paired'] }),
      setting('learning.memoryMb', 2_000),
      setting('learning.economy', false),
      setting('learning.trainForOthers', true),
      setting('data.folders', []),
      setting('data.sources', ['folder', 'archive', 'commons', 'peertube']),
      setting('data.ytdlp', undefined, { type: 'string', shownDefault: 'none' }),
      setting('data.peertube', undefined, { type: 'string', shownDefault: 'none' }),
      setting('data.contact', undefined, { type: 'string', shownDefault: 'none' }),
      setting('data.ffmpeg', undefined, { type: 'string', shownDefault: 'as one types it' }),
      setting('data.diskBudget', 20_000_000_000, { whole: true }),
      setting('data.upload.endpoint', 'https://huggingface.co'),
      setting('data.upload.repository', 'ada/garden-clips'),
      setting('data.upload.private', true),
      setting('data.upload.token', undefined, { type: 'string', secret: true, isSet: true }),
      setting('language', 'en', { choices: ['system', 'en', 'de'] }),
      setting('nodeName', undefined, { type: 'string', shownDefault: 'the computer’s host name' }),
      setting('mineOnStart', true),
      setting('role', 'miner', { choices: ['miner', 'client', 'validator'], applies: 'restart' }),
      setting('port', 7_070, { whole: true, min: 0, max: 65_535, applies: 'restart' }),
      setting('host', '127.0.0.1', { applies: 'restart', origin: 'environment' }),
      setting('apiToken', undefined, { type: 'string', secret: true, applies: 'restart' }),
      setting('model', undefined, { type: 'string', shownDefault: 'the one imported last, else the built-in one' }),
      setting('threads', undefined, { type: 'number', min: 1, max: 1_024, applies: 'restart' }),
      setting('parallel', 4, { min: 1, max: 256, applies: 'restart' }),
      setting('validator.environments', undefined, { type: 'list' }),
      setting('validator.level', undefined, { type: 'string', shownDefault: 'usual' }),
      setting('validator.retries', 1, { whole: true, min: 0, max: 10 }),
      setting('validator.concurrency', 30, { whole: true, min: 1, max: 1_000 }),
      setting('validator.perMiner', 2, { whole: true, min: 1, max: 100 }),
      setting('validator.perHour', 120, { whole: true, min: 1, max: 100_000 }),
      setting('validator.timeout', 180, { whole: true, min: 1, max: 3_600 }),
      setting('validator.maxTokens', 4_096, { whole: true, min: 1, max: 100_000 }),
      setting('validator.mesh', true),
      setting('trade.url', undefined, { type: 'string', shownDefault: 'none: nothing is bought or offered' }),
      setting('trade.key', undefined, { type: 'string' }),
      setting('trade.wallet', undefined, { type: 'string' }),
      setting('trade.hotkey', 'default'),
      setting('trade.dailyCap', 0, { min: 0, max: 10_000 }),
      setting('competitor.server', undefined, { type: 'string', shownDefault: 'none: no server is asked' }),
      setting('competitor.wallet', undefined, { type: 'string' }),
      setting('validator.netuid', 64, { whole: true, min: 0, max: 65_535 }),
      setting('validator.wallet', 'main', { type: 'string' }),
      setting('validator.hotkey', 'default'),
      setting('validator.days', 30, { whole: true, min: 1, max: 3_650 }),
      setting('validator.preset', undefined, { type: 'string' }),
      setting('validator.layers', undefined, { type: 'string', choices: ['growing', 'powers', 'split'] }),
      setting('validator.burn', 0, { min: 0, max: 1 }),
      setting('validator.setWeights', 'wallet', { choices: ['off', 'wallet', 'signer'] }),
      setting('validator.signerUrl', undefined, { type: 'string' }),
      setting('validator.signerToken', undefined, { type: 'string', secret: true, isSet: false }),
      setting('axon.enabled', false),
      setting('axon.wallet', 'main', { type: 'string' }),
      setting('axon.hotkey', 'default'),
      setting('axon.netuid', 24, { whole: true, min: 0, max: 65_535 }),
      setting('axon.port', 8_091, { whole: true, min: 1, max: 65_535 }),
      setting('axon.externalIp', undefined, {
        type: 'string',
        shownDefault: 'what the router says, or what other nodes see',
      }),
      setting('axon.callers', 'registered', { choices: ['validators', 'registered', 'anyone'] }),
      setting('policy.onBattery', 'pause', actions),
      setting('policy.userActive', 'throttle', actions),
      setting('policy.userIdleSeconds', 120, { min: 5, max: 86_400 }),
      setting('policy.otherGpu', 'pause', actions),
      setting('policy.otherGpuMemory', 1_000, { min: 1, max: 1_000_000 }),
      setting('policy.heat', 'pause', actions),
      setting('policy.heatAbove', 85, { min: 30, max: 120 }),
      setting('policy.heatBelow', 75, { min: 20, max: 119 }),
      setting('policy.quietHours', []),
      setting('policy.quietAction', 'pause', actions),
      setting('models.downloadLimit', undefined, { type: 'number', min: 1_000, shownDefault: 'no cap' }),
      setting('models.endpoint', 'https://huggingface.co', { applies: 'restart' }),
      setting('models.token', undefined, { type: 'string', secret: true }),
      setting('models.fromPeers', true, { applies: 'restart' }),
      setting('sharing.seed', false, { applies: 'restart' }),
      setting('sharing.uploadLimit', 2_000_000, { min: 1_000 }),
      setting('sharing.diskLimit', 50_000_000_000, { min: 0, applies: 'restart' }),
      setting('limits.queueCapacity', 64, { min: 1, max: 1_000_000, applies: 'restart' }),
      setting('limits.refuseWhenOverloaded', true, { applies: 'restart' }),
      setting('limits.queuedPerClient', 4, { min: 1, max: 1_000, applies: 'restart' }),
      setting('limits.connections', 128, { min: 1, max: 10_000, applies: 'restart' }),
      setting('limits.connectionsPerHost', 8, { min: 1, max: 10_000, applies: 'restart' }),
      setting('contextSize', undefined, { type: 'number', min: 128, max: 1_000_000, applies: 'restart' }),
      setting('kvCache', 'f16', { choices: ['f16', 'q8_0', 'q4_0'], applies: 'restart' }),
      setting('rope.scaling', 'none', { choices: ['none', 'linear', 'yarn'], applies: 'restart' }),
      setting('rope.factor', 2, { min: 1, max: 64, applies: 'restart' }),
      setting('rope.originalContext', undefined, { type: 'number', min: 256, whole: true, applies: 'restart' }),
      setting('engine.gpus', []),
      setting('engine.vramReserveMb', undefined, { type: 'number', min: 0, whole: true, applies: 'restart' }),
      setting('node.watts', undefined, { type: 'number', min: 1, max: 100_000 }),
      setting('node.costPerKwh', undefined, { type: 'number', min: 0, max: 1_000 }),
      setting('node.currency', undefined, { type: 'string' }),
      setting('gpuLayers', -1, { min: -1, max: 1_000, applies: 'restart' }),
      setting('backend', 'local', { choices: ['local', 'remote'], applies: 'restart' }),
      setting('remote.baseUrl', undefined, { type: 'string', applies: 'restart' }),
      setting('remote.model', undefined, { type: 'string', applies: 'restart' }),
      setting('remote.apiKey', undefined, { type: 'string', secret: true, applies: 'restart' }),
      setting('dataDir', '/home/ada/.local/share/quarry', { applies: 'restart', origin: 'environment' }),
      setting('models.folder', undefined, { type: 'string', applies: 'restart' }),
      setting('mesh.name', 'quarry', { applies: 'restart' }),
      setting('mesh.secret', undefined, { type: 'string', secret: true, applies: 'restart' }),
      setting('credits.rule', 'claims', { choices: ['claims', 'witnessed'], applies: 'restart' }),
      setting('localApiOpen', true, { applies: 'restart' }),
      setting('publicUrl', undefined, { type: 'string', applies: 'restart' }),
      setting('tlsCert', undefined, { type: 'string', applies: 'restart' }),
      setting('tlsKey', undefined, { type: 'string', applies: 'restart' }),
      setting('logLevel', 'info', { choices: ['debug', 'info', 'warn', 'error'], applies: 'restart' }),
      setting('desktop.closeToTray', true),
      setting('desktop.startMinimised', false),
      setting('desktop.notifications', true),
    ],
  };
}
