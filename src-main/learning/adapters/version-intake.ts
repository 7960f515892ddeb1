import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { AdapterVersion } from '../../../src-preload/contract/learning-versions.ts';
import { say } from '../../../src-preload/contract/saying.ts';
import { Slices } from '../../base/slices.ts';
import { ifMissing, ignoring } from '../../base/swallowed.ts';
import type { Turns } from '../../base/turns.ts';
import type { Db } from '../../store/database.ts';
import type { AdapterStore, AdapterVersionRow } from '../../store/learning/learning-adapters.ts';
import { invalidAdapter } from '../formats/adapter-error.ts';
import { ADAPTER_GGUF, OPTIMIZER } from '../formats/adapter-files.ts';
import type { BaseShape } from '../formats/base-shape.ts';
import { readAdapterGguf, writeAdapterGguf } from '../formats/gguf-adapter.ts';
import { ADAPTER_MODULES, type AdapterModule, type LoraAdapter } from '../formats/lora-adapter.ts';
import { type NewAdapter, newAdapter } from '../formats/new-adapter.ts';
import { readPeft, writePeft } from '../formats/peft-adapter.ts';
import { checkProportion } from '../formats/proportion.ts';
import { readOptimizer } from '../training/adapter/optimizer-file.ts';
import { badName, comparedWith, nameTaken, otherBase, unknownModule, writingFailed } from './adapter-problems.ts';
import { readForeign } from './foreign-adapter.ts';
import type { StagedVersion, VersionFiles } from './version-files.ts';
import { initId, isAdapterName, versionId } from './version-id.ts';
import { type FetchedFrom, versionView } from './version-view.ts';

/** The model that an adapter belongs to. */
export interface AdapterBase {
  /** SHA-256 of its file, 64 hex. */
  sha256: string;
  /** What people call it. */
  name: string;
  shape: BaseShape;
}

/** What is written down with a version. */
export interface NewVersion {
  /** Of the adapter; it is made where there is none. */
  name: string;
  base: AdapterBase;
  /** Whether the adapter's name stands for it from now on. */
  use: boolean;
}

export interface LearntVersion extends NewVersion {
  /** Id of the version that it was learnt on from; null: the model as it is. */
  parent: string | null;
  /** Ids of the feedback that it learnt from, beyond its parent's. */
  feedback: readonly number[];
  /** What was measured. */
  metrics: AdapterVersion['metrics'];
  run: string;
  /**
   * Written in the same transaction, first: what else is true once the version is there.
   * @returns what the adapter is called by now
   */
  alongside?: (db: Db, id: string) => Promise<string>;
}

type Facts = Pick<AdapterVersionRow, 'parent' | 'origin' | 'run'> &
  Pick<LearntVersion, 'feedback' | 'metrics' | 'alongside'> & { fetched?: FetchedFrom };

export interface VersionIntakeOptions {
  store: AdapterStore;
  files: VersionFiles;
  /** One change after the other. */
  turns: Turns;
  /** Unix milliseconds. */
  now: () => number;
  /** Numbers in [0, 1), for the matrices of a new adapter. */
  uniform: () => number;
  onChange: () => void;
}

/** How versions come about. Each is there as a whole or not at all, whenever the process ends, and none takes the place of another. */
export class VersionIntake {
  readonly #options: VersionIntakeOptions;

  constructor(options: VersionIntakeOptions) {
    this.#options = options;
  }

  /**
   * A version that changes nothing yet, `<name>-init`.
   * @param wanted its modules by their names; default: all
   * @throws BAD_REQUEST for a bad name, one that is taken, or a module that there is not; DISK_FULL
   */
  async init(
    { name, base, use }: NewVersion,
    { modules, ...shape }: Omit<NewAdapter, 'modules'> & { modules?: readonly string[] | undefined },
  ): Promise<AdapterVersion> {
    checkName(name);
    const wanted = { ...shape, modules: modules?.map(knownModule) };
    if (await this.#options.store.adapter(name)) throw nameTaken(name);
    const adapter = await newAdapter(base.shape, wanted, this.#options.uniform, new Slices());
    const staged = await this.#stage((folder) => writeBoth(folder, adapter, base));
    return await this.#add({ name, base, use }, adapter, staged, { ...NOTHING_LEARNT, parent: null, origin: 'init' });
  }

  /**
   * Takes in a copy of a folder that a trainer wrote, which stays as it is; an optimizer's state that nothing can go on from is left out.
   * @throws ADAPTER_INVALID when its two forms are damaged, differ, or are of another model; BAD_REQUEST for a bad name; DISK_FULL
   */
  async take(folder: string, version: LearntVersion): Promise<AdapterVersion> {
    const { name, base, parent, run, feedback, metrics, alongside } = version;
    checkName(name);
    let adapter: LoraAdapter | undefined;
    const staged = await this.#stage(async (copy) => {
      await this.#options.files.copy(folder, copy);
      adapter = await readBoth(copy, base.shape);
      await dropUnfit(join(copy, OPTIMIZER), adapter);
    });
    if (!adapter) throw new Error('nothing was read');
    return await this.#add(version, adapter, staged, { parent, run, feedback, metrics, alongside, origin: 'learnt' });
  }

  /**
   * Takes in a file or folder from elsewhere: PEFT's folder, a zip of it, or llama.cpp's GGUF.
   * @throws ADAPTER_INVALID when it is damaged or of another model; UNSUPPORTED for what Quarry cannot do; BAD_REQUEST for a bad name or a path where nothing is; DISK_FULL
   */
  async import(path: string, version: NewVersion): Promise<AdapterVersion> {
    const { name, shape } = version.base;
    const read = async () => {
      try {
        return await readForeign(path, shape, this.#options.files);
      } catch (error) {
        throw comparedWith(name, error);
      }
    };
    return await this.#takeIn(read, version, { ...NOTHING_LEARNT, parent: null, origin: 'imported' });
  }

  /**
   * Takes in a GGUF file that came from another node, as {@link import} does one from here.
   * @throws ADAPTER_INVALID, UNSUPPORTED, BAD_REQUEST, DISK_FULL
   */
  async fetched(path: string, version: NewVersion, fetched: FetchedFrom): Promise<AdapterVersion> {
    const read = () => readAdapterGguf(path, version.base.shape);
    return await this.#takeIn(read, version, { ...NOTHING_LEARNT, parent: null, origin: 'fetched', fetched });
  }

  /** Only the matrices of what others made are taken: both forms are written anew. */
  async #takeIn(read: () => Promise<LoraAdapter>, version: NewVersion, facts: Facts): Promise<AdapterVersion> {
    checkName(version.name);
    const adapter = await this.#reading(read);
    await checkProportion(adapter);
    const staged = await this.#stage((folder) => writeBoth(folder, adapter, version.base));
    return await this.#add(version, adapter, staged, facts);
  }

  async #stage(fill: (folder: string) => Promise<void>): Promise<StagedVersion> {
    return await this.#reading(() => this.#options.files.stage(fill));
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    return await work().catch((error: unknown) => {
      throw writingFailed(error);
    });
  }

  async #add(version: NewVersion, adapter: LoraAdapter, staged: StagedVersion, facts: Facts): Promise<AdapterVersion> {
    const { turns, onChange } = this.#options;
    const added = await turns.take(() => this.#written(version, adapter, staged, facts));
    onChange();
    return added;
  }

  async #written(
    { name: wanted, base, use }: NewVersion,
    adapter: LoraAdapter,
    staged: StagedVersion,
    facts: Facts,
  ): Promise<AdapterVersion> {
    const { store, files, now } = this.#options;
    const { rank, alpha, modules } = adapter;
    const { parent, origin, run, alongside } = facts;
    const at = now();
    const id = await this.#freeId(wanted, at, origin);
    const row = {
      ...{ id, parent, origin, run, rank, alpha, bytes: staged.bytes, created_at: at },
      ...{ gguf_sha256: staged.ggufSha256, peft_sha256: staged.peftSha256 },
      modules: JSON.stringify(modules),
      feedback: JSON.stringify(facts.feedback),
      metrics: facts.metrics === null ? null : JSON.stringify(facts.metrics),
      fetched: facts.fetched ? JSON.stringify(facts.fetched) : null,
    };
    try {
      await files.place(staged, id);
      const view = await store.transaction(async (inside, db) => {
        const name = (await alongside?.(db, id)) ?? wanted;
        const known = await inside.adapter(name);
        if (known && known.base !== base.sha256) throw otherBase(name, known.base_name);
        if (!known) await inside.addAdapter({ name, base: base.sha256, base_name: base.name, latest: null });
        const number = await inside.addVersion({ ...row, name });
        if (use) await inside.setLatest(name, id);
        return versionView({ ...row, name, number }, use ? id : (known?.latest ?? null));
      });
      await files.settled(id).catch(ignoring('the next opening does it'));
      return view;
    } catch (error) {
      await files.discard(staged);
      await files.remove(id);
      throw writingFailed(error);
    }
  }

  /** The second after, where something is called so already. */
  async #freeId(name: string, at: number, origin: AdapterVersionRow['origin']): Promise<string> {
    const { store, files } = this.#options;
    const isFree = async (id: string) => !(await store.version(id)) && !(await files.isTaken(id));
    if (origin === 'init' && (await isFree(initId(name)))) return initId(name);
    for (let time = at; ; time += 1_000) {
      const id = versionId(name, time);
      if (await isFree(id)) return id;
    }
  }
}

const NOTHING_LEARNT = { run: null, feedback: [], metrics: null };

function checkName(name: string): void {
  if (!isAdapterName(name)) throw badName(name);
}

async function writeBoth(folder: string, adapter: LoraAdapter, base: AdapterBase): Promise<void> {
  await writePeft(folder, adapter, base.name);
  await writeAdapterGguf(join(folder, ADAPTER_GGUF), adapter, base.shape);
}

/** @throws ADAPTER_INVALID when the two forms are not of the same adapter */
async function readBoth(folder: string, shape: BaseShape): Promise<LoraAdapter> {
  const peft = await readPeft(folder, shape);
  const gguf = await readAdapterGguf(join(folder, ADAPTER_GGUF), shape);
  if (!(await isSame(peft, gguf))) throw invalidAdapter(say('adapters.formsDiffer'));
  return peft;
}

/** An adapter without it is whole, its optimizer begins anew; with one that does not fit, each run that went on from it would fail. */
async function dropUnfit(optimizer: string, adapter: LoraAdapter): Promise<void> {
  try {
    await readOptimizer(optimizer, adapter);
  } catch (error) {
    const { code } = QuarryError.from(error);
    if (code === 'ADAPTER_INVALID' || code === 'UNSUPPORTED') await rm(optimizer);
    else ifMissing(error);
  }
}

async function isSame(one: LoraAdapter, other: LoraAdapter): Promise<boolean> {
  if (one.rank !== other.rank || one.alpha !== other.alpha || one.matrices.size !== other.matrices.size) return false;
  const slices = new Slices();
  for (const [name, { a, b }] of one.matrices) {
    const same = other.matrices.get(name);
    if (!same || !sameBytes(a, same.a) || !sameBytes(b, same.b)) return false;
    if (slices.isOver) await slices.next();
  }
  return true;
}

function sameBytes(one: Float32Array, other: Float32Array): boolean {
  const bytes = (values: Float32Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return bytes(one).equals(bytes(other));
}

function knownModule(name: string): AdapterModule {
  const known = ADAPTER_MODULES.find((module) => module === name);
  if (!known) throw unknownModule(name);
  return known;
}
