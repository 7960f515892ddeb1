import { setTimeout as sleep } from 'node:timers/promises';
import { inOrder } from '../../../../src-main/models/fit/recommend.ts';
import { hubFound, hubRepository } from '../hub-sample.ts';
import * as data from '../sample-data.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';
import { every } from './answers.ts';

/** The contract's `models` out of a script: the library, the catalogue, downloads and sharing. */
export function script(os: ScriptedOs['models'], answers: ScriptedData): Script<'models'> {
  const second = () => 1_000;
  return {
    list: os.list.handler(() => answers.localModels),
    import: os.import.handler(async function* () {
      for (let done = 0; done <= 4; done++) {
        yield { done, total: 4 };
        await sleep(200);
      }
      yield { ...(data.localModels[0] as (typeof data.localModels)[0]), taken: 'linked' as const };
    }),
    found: os.found.handler(() => answers.foundModels),
    useInPlace: os.useInPlace.handler(async function* () {
      yield {
        ...(data.localModels[0] as (typeof data.localModels)[0]),
        place: 'outside' as const,
        taken: 'outside' as const,
      };
    }),
    catalogue: os.catalogue.handler(() => inOrder([...answers.catalogue, ...data.moreModels])),
    recommend: os.recommend.handler(() => answers.catalogue.slice(1, 3)),
    search: os.search.handler(() => ({ host: 'huggingface.co', models: [hubFound], next: null })),
    repository: os.repository.handler(() => hubRepository),
    pull: os.pull.handler(({ input }) => {
      const [first] = answers.downloads;
      const started = {
        ...(first ?? data.downloads[0]),
        name: input.name ?? 'from-an-address',
      } as (typeof data.downloads)[0];
      answers.downloads = [...answers.downloads.filter(({ name }) => name !== started.name), started];
      return started;
    }),
    downloads: os.downloads.handler(() => answers.downloads),
    watchDownloads: os.watchDownloads.handler(({ signal }) => every(second, () => answers.downloads, signal)),
    pause: os.pause.handler(({ input }) => changed(answers, input.name, 'paused')),
    resume: os.resume.handler(({ input }) => changed(answers, input.name, 'downloading')),
    tryNow: os.tryNow.handler(({ input }) => changed(answers, input.name, 'downloading')),
    cancel: os.cancel.handler(({ input }) => {
      answers.downloads = answers.downloads.filter(({ name }) => name !== input.name);
    }),
    limit: os.limit.handler(() => undefined),
    verify: os.verify.handler(async function* () {
      yield { done: 1, total: 2 };
      await sleep(300);
      yield { ok: true, found: 'ab'.repeat(32), expected: 'ab'.repeat(32) };
    }),
    remove: os.remove.handler(({ input }) => {
      answers.localModels = answers.localModels.filter(({ name }) => name !== input.name);
      return { freed: 0, message: `${input.name} was deleted.` };
    }),
    choose: os.choose.handler(({ input }) => {
      answers.localModels = answers.localModels.map((model) => ({ ...model, selected: model.name === input.name }));
      return answers.localModels;
    }),
    diskUse: os.diskUse.handler(() => ({
      folder: '/home/ada/.local/share/quarry/models',
      free: 203_000_000_000,
      models: answers.localModels.filter(({ tiny }) => !tiny),
      partial: [{ name: 'qwen2.5-1.5b-instruct-q4_k_m', bytes: 420_000_000 }],
      prompts: 262_000_000,
    })),
    forgetPrompts: os.forgetPrompts.handler(() => undefined),
    move: os.move.handler(async function* () {
      for (let done = 0; done <= 4; done++) {
        yield { done: done * 1_000_000_000, total: 4_000_000_000 };
        await sleep(200);
      }
    }),
    sharing: os.sharing.handler(() => answers.sharing),
    share: os.share.handler(() => answers.sharing),
    unshare: os.unshare.handler(() => {
      answers.sharing = { ...answers.sharing, models: [] };
      return answers.sharing;
    }),
    show: os.show.handler(({ input: { name, ...tried } }) => data.detailsOf(name, tried)),
    loaded: os.loaded.handler(() => answers.loadedModels),
    free: os.free.handler(({ input }) => {
      answers.loadedModels = answers.loadedModels.filter(({ name }) => name !== input.name);
      return answers.loadedModels;
    }),
    watchOffers: os.watchOffers.handler(async function* () {
      yield { peers: 3, offers: answers.offers };
    }),
    offers: os.offers.handler(() => answers.offers),
  };
}

function changed(answers: ScriptedData, name: string, state: 'paused' | 'downloading') {
  answers.downloads = answers.downloads.map((one) => (one.name === name ? { ...one, state } : one));
  const one = answers.downloads.find((download) => download.name === name);
  if (!one) throw new Error(`There is no download ${name}.`);
  return one;
}
