import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { implement, ORPCError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import { contract } from '../../../src-preload/contract/contract.ts';
import type { Conversation, Turn } from '../../../src-preload/contract/conversations.ts';
import type { QuarryErrorData } from '../../../src-preload/contract/errors.ts';
import type { Setting, SettingsView } from '../../../src-preload/contract/settings.ts';
import * as data from './sample-data.ts';

/**
 * Serves the built screens with answers out of a script: for pictures of states that take a real node hours to reach, and for
 * measurements that need a faster clock. What the contract promises is proved against real nodes, not here.
 */
export interface ScriptedNode {
  url: string;
  /** What the screens are told; change it and the next event or answer has it. */
  data: ScriptedData;
  close(): Promise<void>;
}

export type ScriptedData = {
  -readonly [Key in keyof typeof data]: (typeof data)[Key];
} & {
  settings: SettingsView;
  samplesPerSecond: number;
  /** Whether browsers have to log in, and this one has. */
  session: { needed: boolean; loggedIn: boolean };
  /** What fails, by the name of the call: `models.sharing`. */
  failures: Record<string, QuarryErrorData>;
};

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * @param overrides answers that differ from the sample data
 * @param pages folder of the built screens
 * @param port to listen on; default: a free one
 */
export async function startScriptedNode(
  overrides: Partial<ScriptedData> = {},
  pages = resolve(import.meta.dirname, '../../../out/renderer'),
  port = 0,
): Promise<ScriptedNode> {
  const answers: ScriptedData = {
    ...data,
    settings: scriptedSettings(),
    samplesPerSecond: 1,
    session: { needed: false, loggedIn: true },
    failures: {},
    ...overrides,
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://scripted');
    if (pathname === '/session') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answers.session));
      return;
    }
    const file = join(pages, pathname === '/' ? 'index.html' : pathname);
    const bytes = file.startsWith(pages) ? await readFile(file).catch(() => undefined) : undefined;
    response.statusCode = bytes ? 200 : 404;
    response.setHeader('content-type', CONTENT_TYPES[extname(file)] ?? 'application/octet-stream').end(bytes);
  });
  const sockets = new WebSocketServer({ server, path: '/rpc/ws' });
  const handler = new RPCHandler(scriptedRouter(answers));
  sockets.on('connection', (socket) => void handler.upgrade(socket, { context: {} }));
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    data: answers,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The value now, and again every `ms` milliseconds. */
async function* every<T>(ms: () => number, value: () => T, signal: AbortSignal | undefined): AsyncGenerator<T> {
  while (!signal?.aborted) {
    yield value();
    await sleep(ms(), undefined, { signal }).catch(() => undefined);
  }
}

function scriptedRouter(answers: ScriptedData) {
  const os = implement(contract).use(({ path, next }) => {
    const failure = answers.failures[path.join('.')];
    if (failure) throw new ORPCError('QUARRY', { status: 400, message: failure.message, data: failure });
    return next();
  });
  const second = () => 1_000;
  const conversations: { conversation: Conversation; turns: Turn[] }[] = [];
  const found = (id: string) => {
    const one = conversations.find(({ conversation }) => conversation.id === id);
    if (!one) throw new Error(`There is no conversation ${id}.`);
    return one;
  };
  const answer = async function* (id: string, text: string | undefined) {
    const one = found(id);
    const at = Date.now();
    if (text === undefined) one.turns.pop();
    else one.turns.push({ id: one.turns.length + 1, role: 'user', text, at, answer: null });
    const { target } = one.conversation.options;
    const turn: Turn = {
      id: one.turns.length + 1,
      role: 'assistant',
      text: '',
      at,
      answer: {
        state: 'answering',
        target,
        model: 'qwen2.5-7b-instruct-q4_k_m',
        worker: target === 'mesh' ? data.nodeId('beef') : null,
        tokens: 0,
        firstTokenMs: 310,
        totalMs: null,
        tokensPerSecond: null,
        error: null,
      },
    };
    one.turns.push(turn);
    yield { type: 'turns' as const, turns: one.turns };
    const worker = data.nodeId('beef');
    if (target === 'mesh') yield { type: 'worker' as const, worker };
    if (target === 'mesh') yield { type: 'queued' as const, worker, position: 2, etaMs: 1_500, tier: 'gold' };
    const words = 'A **mesh** is a network in which every node talks to others.\n\n```ts\nconst nodes = 3;\n```'.split(
      ' ',
    );
    try {
      for (const word of words) {
        await sleep(60);
        turn.text += `${word} `;
        yield { type: 'chunk' as const, text: `${word} `, tokens: 1 };
      }
      turn.answer = turn.answer && {
        ...turn.answer,
        state: 'done',
        tokens: words.length,
        totalMs: 1_400,
        tokensPerSecond: 41,
      };
      yield { type: 'ended' as const, turn, conversation: one.conversation };
    } finally {
      if (turn.answer?.state === 'answering') turn.answer = { ...turn.answer, state: 'stopped' };
    }
  };
  return os.router({
    node: {
      status: os.node.status.handler(() => answers.status),
      watch: os.node.watch.handler(({ signal }) => every(second, () => answers.status, signal)),
      watchSamples: os.node.watchSamples.handler(async function* ({ signal }) {
        yield answers.samples;
        let at = answers.samples.at(-1)?.at ?? data.NOW;
        for (let index = 0; !signal?.aborted; index++) {
          await sleep(1_000 / answers.samplesPerSecond, undefined, { signal }).catch(() => undefined);
          const next = answers.samples[index % answers.samples.length];
          at += 1_000;
          if (next) yield [{ ...next, at }];
        }
      }),
      hardware: os.node.hardware.handler(() => answers.hardware),
      doctor: os.node.doctor.handler(() => ({
        healthy: true,
        checks: [
          { name: 'gpu', status: 'ok' as const, found: 'NVIDIA GeForce RTX 3060, 11.2 GiB free.' },
          { name: 'clock', status: 'warn' as const, found: 'The clock is 2 s ahead.', advice: 'Switch on NTP.' },
        ],
      })),
      startMining: os.node.startMining.handler(async () => {
        await sleep(600);
        const { error } = answers.status.mining ?? {};
        if (error) throw new ORPCError(error.code, { message: error.message, data: error });
        answers.status = { ...answers.status, mining: { ...answers.status.mining, state: 'running' } };
        return { state: 'running' as const };
      }),
      stopMining: os.node.stopMining.handler(() => {
        answers.status = { ...answers.status, mining: { ...answers.status.mining, state: 'stopped' } };
        return { state: 'stopped' as const };
      }),
      restart: os.node.restart.handler(() => undefined),
      diagnostics: os.node.diagnostics.handler(() => ({ fileName: 'quarry-diagnostics.json', text: '{}' })),
      watchLog: os.node.watchLog.handler(async function* () {
        yield ['{"level":30,"time":1795262400000,"msg":"server listens"}'];
        yield ['{"level":40,"time":1795262401000,"msg":"peer banned"}'];
      }),
    },
    inference: { ask: os.inference.ask.handler(async function* () {}) },
    conversations: {
      list: os.conversations.list.handler(() => conversations.map(({ conversation }) => conversation)),
      create: os.conversations.create.handler(({ input }) => {
        const at = Date.now();
        const conversation = {
          id: crypto.randomUUID(),
          title: 'New conversation',
          createdAt: at,
          updatedAt: at,
          options: input,
        };
        conversations.unshift({ conversation, turns: [] });
        return conversation;
      }),
      get: os.conversations.get.handler(({ input }) => found(input.id)),
      update: os.conversations.update.handler(({ input: { id, ...changes } }) =>
        Object.assign(found(id).conversation, changes),
      ),
      remove: os.conversations.remove.handler(({ input }) => {
        conversations.splice(conversations.indexOf(found(input.id)), 1);
      }),
      removeAll: os.conversations.removeAll.handler(() => {
        conversations.length = 0;
      }),
      ask: os.conversations.ask.handler(({ input }) => answer(input.id, input.text)),
      regenerate: os.conversations.regenerate.handler(({ input }) => answer(input.id, undefined)),
    },
    mesh: {
      peers: os.mesh.peers.handler(() => answers.peers),
      watchPeers: os.mesh.watchPeers.handler(({ signal }) => every(second, () => answers.peers, signal)),
      reachability: os.mesh.reachability.handler(() => answers.reachability),
      ban: os.mesh.ban.handler(({ input: { id, hours } }) => {
        const ban = { id, reason: 'banned by hand', expiresAt: Date.now() + hours * 3_600_000 };
        const peers = answers.peers.peers.filter((peer) => peer.id !== id);
        answers.peers = { ...answers.peers, peers, bans: [...answers.peers.bans, ban] };
        return answers.peers;
      }),
      unban: os.mesh.unban.handler(({ input }) => {
        answers.peers = { ...answers.peers, bans: answers.peers.bans.filter(({ id }) => id !== input.id) };
        return answers.peers;
      }),
    },
    credits: {
      summary: os.credits.summary.handler(() => answers.summary),
      entries: os.credits.entries.handler(
        ({ input: { kinds, from = 0, to = Number.MAX_SAFE_INTEGER, limit, before } }) =>
          answers.entries
            .filter(({ kind, seq }) => (before === undefined || seq < before) && (!kinds || kinds.includes(kind)))
            .filter(({ at }) => at >= from && at < to)
            .slice(0, limit),
      ),
      kinds: os.credits.kinds.handler(() => ['earn', 'pay', 'reserve', 'release', 'bonus', 'penalty', 'allowance']),
      csv: os.credits.csv.handler(async function* () {
        yield 'number,time,kind,request,credits,points,memo\n';
        for (const { seq, at, kind, requestId, amount, points, memo } of answers.entries.toReversed()) {
          await sleep(10);
          yield `${[seq, new Date(at).toISOString(), kind, requestId, amount, points, memo].join()}\n`;
        }
      }),
      days: os.credits.days.handler(({ input }) => answers.days.slice(-input.days)),
      sources: os.credits.sources.handler(() => ({
        speed: 380,
        complexity: 170,
        quality: 140,
        bonuses: 60,
        penalties: -8,
        uncounted: { pairCap: 21, tooOld: 0 },
      })),
      served: os.credits.served.handler(({ input }) => answers.served.slice(0, input.limit)),
      watch: os.credits.watch.handler(({ signal }) =>
        every(
          () => 5_000,
          () => ({ seq: 400 }),
          signal,
        ),
      ),
      verify: os.credits.verify.handler(() => answers.ledgerReport),
      rebuild: os.credits.rebuild.handler(() => {
        answers.ledgerReport = data.ledgerReport;
        return answers.ledgerReport;
      }),
    },
    models: {
      list: os.models.list.handler(() => answers.localModels),
      import: os.models.import.handler(async function* () {
        for (let done = 0; done <= 4; done++) {
          yield { done, total: 4 };
          await sleep(200);
        }
        yield data.localModels[0] as (typeof data.localModels)[0];
      }),
      catalogue: os.models.catalogue.handler(() => answers.catalogue),
      recommend: os.models.recommend.handler(() => answers.catalogue.slice(1, 3)),
      pull: os.models.pull.handler(({ input }) => {
        const [first] = answers.downloads;
        const started = {
          ...(first ?? data.downloads[0]),
          name: input.name ?? 'from-an-address',
        } as (typeof data.downloads)[0];
        answers.downloads = [...answers.downloads.filter(({ name }) => name !== started.name), started];
        return started;
      }),
      downloads: os.models.downloads.handler(() => answers.downloads),
      watchDownloads: os.models.watchDownloads.handler(({ signal }) => every(second, () => answers.downloads, signal)),
      pause: os.models.pause.handler(({ input }) => changed(answers, input.name, 'paused')),
      resume: os.models.resume.handler(({ input }) => changed(answers, input.name, 'downloading')),
      cancel: os.models.cancel.handler(({ input }) => {
        answers.downloads = answers.downloads.filter(({ name }) => name !== input.name);
      }),
      limit: os.models.limit.handler(() => undefined),
      verify: os.models.verify.handler(async function* () {
        yield { done: 1, total: 2 };
        await sleep(300);
        yield { ok: true, found: 'ab'.repeat(32), expected: 'ab'.repeat(32) };
      }),
      remove: os.models.remove.handler(({ input }) => {
        answers.localModels = answers.localModels.filter(({ name }) => name !== input.name);
      }),
      choose: os.models.choose.handler(({ input }) => {
        answers.localModels = answers.localModels.map((model) => ({ ...model, selected: model.name === input.name }));
        return answers.localModels;
      }),
      diskUse: os.models.diskUse.handler(() => ({
        folder: '/home/ada/.local/share/quarry/models',
        free: 203_000_000_000,
        models: answers.localModels,
        partial: [{ name: 'qwen2.5-1.5b-instruct-q4_k_m', bytes: 420_000_000 }],
      })),
      move: os.models.move.handler(async function* () {
        for (let done = 0; done <= 4; done++) {
          yield { done: done * 1_000_000_000, total: 4_000_000_000 };
          await sleep(200);
        }
      }),
      sharing: os.models.sharing.handler(() => answers.sharing),
      share: os.models.share.handler(() => answers.sharing),
      unshare: os.models.unshare.handler(() => {
        answers.sharing = { ...answers.sharing, models: [] };
        return answers.sharing;
      }),
      offers: os.models.offers.handler(() => answers.offers),
    },
    settings: {
      list: os.settings.list.handler(() => answers.settings),
      set: os.settings.set.handler(({ input }) => {
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
      newApiToken: os.settings.newApiToken.handler(() => ({ token: 'scripted-token-0123456789' })),
    },
    desktop: {
      state: os.desktop.state.handler(() => answers.headless),
      setStartOnLogin: os.desktop.setStartOnLogin.handler(() => answers.headless),
      pickModelFile: os.desktop.pickModelFile.handler(() => ({ path: null })),
      pickFolder: os.desktop.pickFolder.handler(() => ({ path: null })),
      openFolder: os.desktop.openFolder.handler(() => undefined),
      checkForUpdate: os.desktop.checkForUpdate.handler(() => answers.headless.update),
      installUpdate: os.desktop.installUpdate.handler(() => undefined),
    },
  });
}

function changed(answers: ScriptedData, name: string, state: 'paused' | 'downloading') {
  answers.downloads = answers.downloads.map((one) => (one.name === name ? { ...one, state } : one));
  const one = answers.downloads.find((download) => download.name === name);
  if (!one) throw new Error(`There is no download ${name}.`);
  return one;
}

/** Settings of each type; the real list comes from the configuration. */
function scriptedSettings(): SettingsView {
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
    ...more,
  });
  const actions = { choices: ['off', 'throttle', 'pause'] };
  return {
    restartNeeded: false,
    file: '/home/ada/.local/share/quarry/app-settings.json',
    settings: [
      setting('showWelcome', false),
      setting('language', 'en', { choices: ['system', 'en', 'de'] }),
      setting('nodeName', undefined, { type: 'string', shownDefault: 'the computer’s host name' }),
      setting('mineOnStart', true),
      setting('role', 'miner', { choices: ['miner', 'client', 'validator'], applies: 'restart' }),
      setting('port', 7_070, { min: 0, max: 65_535, applies: 'restart' }),
      setting('host', '127.0.0.1', { applies: 'restart', origin: 'environment' }),
      setting('apiToken', undefined, { type: 'string', secret: true, applies: 'restart' }),
      setting('model', undefined, { type: 'string', shownDefault: 'the one imported last, else the built-in one' }),
      setting('threads', undefined, { type: 'number', min: 1, max: 1_024, applies: 'restart' }),
      setting('parallel', 4, { min: 1, max: 256, applies: 'restart' }),
      setting('policy.onBattery', 'pause', actions),
      setting('policy.userActive', 'throttle', actions),
      setting('policy.userIdleSeconds', 120, { min: 5, max: 86_400 }),
      setting('policy.otherGpu', 'pause', actions),
      setting('policy.otherGpuMemory', 1_024, { min: 1, max: 1_000_000 }),
      setting('policy.heat', 'pause', actions),
      setting('policy.heatAbove', 85, { min: 30, max: 120 }),
      setting('policy.heatBelow', 75, { min: 20, max: 119 }),
      setting('policy.quietHours', []),
      setting('policy.quietAction', 'pause', actions),
      setting('models.downloadLimit', undefined, { type: 'number', min: 1_024, shownDefault: 'no cap' }),
      setting('models.fromPeers', true, { applies: 'restart' }),
      setting('sharing.seed', false, { applies: 'restart' }),
      setting('sharing.uploadLimit', 2_000_000, { min: 1_024 }),
      setting('sharing.diskLimit', 50_000_000_000, { min: 0, applies: 'restart' }),
      setting('limits.queueCapacity', 64, { min: 1, max: 1_000_000, applies: 'restart' }),
      setting('limits.refuseWhenOverloaded', true, { applies: 'restart' }),
      setting('limits.queuedPerClient', 4, { min: 1, max: 1_000, applies: 'restart' }),
      setting('limits.connections', 128, { min: 1, max: 10_000, applies: 'restart' }),
      setting('limits.connectionsPerHost', 8, { min: 1, max: 10_000, applies: 'restart' }),
      setting('contextSize', undefined, { type: 'number', min: 128, max: 1_000_000, applies: 'restart' }),
      setting('gpuLayers', -1, { min: -1, max: 1_000, applies: 'restart' }),
      setting('backend', 'local', { choices: ['local', 'remote'], applies: 'restart' }),
      setting('remote.baseUrl', undefined, { type: 'string', applies: 'restart' }),
      setting('remote.model', undefined, { type: 'string', applies: 'restart' }),
      setting('remote.apiKey', undefined, { type: 'string', secret: true, applies: 'restart' }),
      setting('dataDir', '/home/ada/.local/share/quarry', { applies: 'restart', origin: 'environment' }),
      setting('models.folder', undefined, { type: 'string', applies: 'restart' }),
      setting('mesh.name', 'quarry', { applies: 'restart' }),
      setting('mesh.secret', undefined, { type: 'string', secret: true, applies: 'restart' }),
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

if (import.meta.main) {
  const node = await startScriptedNode();
  process.stdout.write(`${node.url}\n`);
}
