import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type {
  AdapterVersion,
  ExportForm,
  VersionComparison,
  VersionSteps,
} from '../../../src-preload/contract/learning-versions.ts';
import { sha256OfFile } from '../../base/sha256.ts';
import { ifMissing } from '../../base/swallowed.ts';
import { Turns } from '../../base/turns.ts';
import type { AdapterRow, AdapterStore, AdapterVersionRow } from '../../store/learning/learning-adapters.ts';
import { readPeft } from '../formats/peft-adapter.ts';
import {
  badName,
  damagedVersion,
  nameTaken,
  noneInUse,
  nothingAfter,
  nothingBefore,
  otherBase,
  stillInUse,
  unknownVersion,
} from './adapter-problems.ts';
import { compareAdapters } from './compare.ts';
import { writeExport } from './export-version.ts';
import type { VersionFiles } from './version-files.ts';
import { isAdapterName, parsedRef } from './version-id.ts';
import { VersionIntake } from './version-intake.ts';
import { versionView } from './version-view.ts';

/** What a name stands for now. */
export interface ResolvedVersion {
  /** Of the adapter. */
  name: string;
  /** Null: the model as it is. */
  version: AdapterVersion | null;
  /** Its GGUF file, whose bytes are those that were taken in; null with the version. */
  path: string | null;
}

export interface VersionsOptions {
  store: AdapterStore;
  files: VersionFiles;
  /** Unix milliseconds. Default `Date.now` */
  now?: () => number;
  /** Numbers in [0, 1). Default `Math.random` */
  uniform?: () => number;
  /** Told after every change. */
  onChange?: () => void;
  /** Told when the files of a version are to go, before they do: nobody else may hold on to them. */
  onRemove?: (version: AdapterVersion) => Promise<void>;
}

/** Undos that are remembered. */
const MOST_UNDONE = 100;

/** Versions on a page, at most. */
const MOST_LISTED = 200;

/** Adapters and their versions. A version is never changed: what changes is which of them a name stands for. */
export class Versions {
  readonly #store: AdapterStore;
  readonly #files: VersionFiles;
  readonly #onChange: () => void;
  readonly #onRemove: (version: AdapterVersion) => Promise<void>;
  readonly #turns = new Turns();
  /** Of versions whose bytes were compared, what their files looked like then. */
  readonly #verified = new Map<string, string>();
  /** What was undone since this node was opened, the last at the end. */
  #undone: { name: string; from: string; to: string | null }[] = [];
  readonly intake: VersionIntake;

  constructor(options: VersionsOptions) {
    const {
      store,
      files,
      now = Date.now,
      uniform = Math.random,
      onChange = () => {},
      onRemove = async () => {},
    } = options;
    this.#store = store;
    this.#files = files;
    this.#onChange = onChange;
    this.#onRemove = onRemove;
    this.intake = new VersionIntake({ store, files, now, uniform, onChange, turns: this.#turns });
  }

  /** Clears away what a kill has left. Before anything else is asked of it; idempotent. */
  async open(): Promise<void> {
    await this.#files.open(() => this.#store.states());
  }

  /** By their names. */
  async adapters(): Promise<AdapterRow[]> {
    return await this.#store.adapters();
  }

  /** Undefined where there is none of the name. */
  async adapter(name: string): Promise<AdapterRow | undefined> {
    return await this.#store.adapter(name);
  }

  /** A version and those that it was learnt on from, the newest first; also those whose files are deleted. */
  async lineage(id: string, most: number): Promise<AdapterVersion[]> {
    const found: AdapterVersion[] = [];
    let next: string | null = id;
    while (next !== null && found.length < most) {
      const row: AdapterVersionRow | undefined = await this.#store.version(next);
      if (!row) break;
      found.push(versionView(row, null));
      next = row.parent;
    }
    return found;
  }

  /** Ids of all versions, in no order. */
  async ids(): Promise<string[]> {
    const states = await this.#store.states();
    return [...states].flatMap(([id, state]) => (state === 'there' ? [id] : []));
  }

  /** Which version of this node has the very bytes of a file, its own or those that it came with, by their SHA-256; `personal@3`. */
  async byHash(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const { name, number, gguf_sha256: own, came } of await this.#store.all()) {
      for (const hash of came === null ? [own] : [own, came]) found.set(hash, `${name}@${number}`);
    }
    return found;
  }

  /** A page of versions, the newest first; empty for an adapter that is not there. @param below only those of a smaller number */
  async page(name: string, below?: number): Promise<{ versions: AdapterVersion[]; more: boolean }> {
    const latest = (await this.#store.adapter(name))?.latest ?? null;
    const rows = await this.#store.versions(name, MOST_LISTED + 1, below);
    const versions = rows.slice(0, MOST_LISTED).map((row) => versionView(row, latest));
    return { versions, more: rows.length > MOST_LISTED };
  }

  /**
   * What `personal@3`, `personal@latest`, `personal-latest`, `personal` or a version's id means.
   * @param base SHA-256 of the model's file that is to go with it. Default: whichever it belongs to
   * @throws ADAPTER_NOT_FOUND; ADAPTER_INVALID when it is of another model, or its file is not what it was
   */
  async resolve(ref: string, base?: string): Promise<ResolvedVersion> {
    const { adapter, row } = await this.#found(ref);
    if (base !== undefined && adapter.base !== base) throw otherBase(adapter.name, adapter.base_name);
    if (!row) return { name: adapter.name, version: null, path: null };
    await this.#verify(row);
    return { name: adapter.name, version: versionView(row, adapter.latest), path: this.#files.gguf(row.id) };
  }

  /** The version that is meant, whatever its file is like now. @throws ADAPTER_NOT_FOUND */
  async find(ref: string): Promise<AdapterVersion> {
    const { adapter, row } = await this.#found(ref);
    if (!row) throw noneInUse(adapter.name);
    return versionView(row, adapter.latest);
  }

  /** Folder of a version's files, for whoever goes on from it, compares or exports. @throws as {@link resolve} does */
  async folder(ref: string): Promise<{ version: AdapterVersion; folder: string }> {
    const { name, version } = await this.resolve(ref);
    if (!version) throw noneInUse(name);
    return { version, folder: this.#files.of(version.id) };
  }

  /** From now on the adapter's name stands for this version. @throws as {@link resolve} does */
  async use(ref: string): Promise<AdapterVersion> {
    return await this.#changing(async () => {
      const { adapter, row } = await this.#found(ref);
      if (!row) throw noneInUse(adapter.name);
      await this.#verify(row);
      await this.#store.setLatest(adapter.name, row.id);
      return versionView(row, row.id);
    });
  }

  /** What an adapter's name stands for, and where {@link undo} and {@link redo} lead from there; nowhere for an adapter that is not there. */
  async steps(name: string): Promise<VersionSteps> {
    const latest = (await this.#store.adapter(name))?.latest ?? null;
    const view = (row: AdapterVersionRow | undefined) => (row ? versionView(row, latest) : null);
    const redo = view(await this.#after(name, latest));
    if (latest === null) return { current: null, undo: null, redo };
    const current = view(await this.#store.version(latest));
    return { current, undo: { to: view(await this.#before(latest)) }, redo };
  }

  /**
   * Back to the version before: what the one in use was learnt on from, or its parent, where that was deleted.
   * @returns null: the model as it is
   * @throws ADAPTER_NOT_FOUND; BAD_REQUEST when nothing is in use; ADAPTER_INVALID when the file is not what it was
   */
  async undo(name: string): Promise<AdapterVersion | null> {
    return await this.#changing(async () => {
      const { latest } = await this.#adapter(name);
      if (latest === null) throw nothingBefore(name);
      const before = await this.#before(latest);
      if (before) await this.#verify(before);
      await this.#store.setLatest(name, before?.id ?? null);
      this.#undone = [...this.#undone.slice(1 - MOST_UNDONE), { name, from: latest, to: before?.id ?? null }];
      return before ? versionView(before, before.id) : null;
    });
  }

  /** From now on the adapter's name stands for the model as it is; its versions stay. @returns whether it stood for one @throws ADAPTER_NOT_FOUND */
  async rest(name: string): Promise<boolean> {
    return await this.#changing(async () => {
      const { latest } = await this.#adapter(name);
      await this.#store.setLatest(name, null);
      return latest !== null;
    });
  }

  /** Takes the last undo back; where none is remembered, on to the newest version that was learnt on from the one in use. @throws ADAPTER_NOT_FOUND; BAD_REQUEST when there is none */
  async redo(name: string): Promise<AdapterVersion> {
    return await this.#changing(async () => {
      const { latest } = await this.#adapter(name);
      const next = await this.#after(name, latest);
      if (!next) throw nothingAfter(name);
      await this.#verify(next);
      await this.#store.setLatest(name, next.id);
      const undone = this.#undoneTo(name, latest);
      this.#undone = this.#undone.filter((each) => each !== undone);
      return versionView(next, next.id);
    });
  }

  /** Calls an adapter something else; its versions keep their ids and files. @throws ADAPTER_NOT_FOUND; BAD_REQUEST for a bad name, or one that is taken */
  async rename(name: string, to: string): Promise<void> {
    if (!isAdapterName(to)) throw badName(to);
    await this.#changing(async () => {
      await this.#adapter(name);
      if (await this.#store.adapter(to)) throw nameTaken(to);
      await this.#store.transaction((store) => store.rename(name, to));
    });
  }

  /**
   * Deletes the files of a version; that it was there stays known.
   * @param evenInUse the one in use, too: then the version before takes its place
   * @throws ADAPTER_NOT_FOUND; BAD_REQUEST for the one in use
   */
  async remove(ref: string, evenInUse = false): Promise<AdapterVersion> {
    return await this.#changing(async () => {
      const { adapter, row } = await this.#found(ref);
      if (!row) throw noneInUse(adapter.name);
      const isInUse = adapter.latest === row.id;
      if (isInUse && !evenInUse) throw stillInUse(row.id);
      const before = isInUse ? await this.#before(row.id) : undefined;
      await this.#onRemove(versionView(row, adapter.latest));
      await this.#store.transaction(async (store) => {
        if (isInUse) await store.setLatest(adapter.name, before?.id ?? null);
        await store.bury(row.id);
      });
      this.#verified.delete(row.id);
      await this.#files.remove(row.id);
      return versionView(row, adapter.latest);
    });
  }

  /** Two versions beside each other. @throws as {@link resolve} does; the signal's reason */
  async compare(one: string, other: string, signal?: AbortSignal): Promise<VersionComparison> {
    const [first, second] = [await this.folder(one), await this.folder(other)];
    const modules = await compareAdapters(await readPeft(first.folder), await readPeft(second.folder), signal);
    return { one: first.version, other: second.version, modules };
  }

  /** Writes a version as one file. @param target not there yet @throws as {@link resolve} does; EEXIST; DISK_FULL */
  async export(ref: string, form: ExportForm, target: string): Promise<AdapterVersion> {
    const { version, folder } = await this.folder(ref);
    await writeExport(folder, form, target, version.at);
    return version;
  }

  /** What was in use before the last undo, if that led to what is in use now; else the newest version that was learnt on from it. */
  async #after(name: string, latest: string | null): Promise<AdapterVersionRow | undefined> {
    const undone = this.#undoneTo(name, latest);
    const row = undone && (await this.#store.version(undone.from));
    return row && row.bytes > 0 ? row : await this.#store.newestChild(name, latest);
  }

  #undoneTo(name: string, latest: string | null) {
    return this.#undone.findLast((each) => each.name === name && each.to === latest);
  }

  async #changing<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.#turns.take(work);
    this.#onChange();
    return result;
  }

  async #adapter(name: string): Promise<AdapterRow> {
    const adapter = await this.#store.adapter(name);
    if (!adapter) throw unknownVersion(name);
    return adapter;
  }

  async #found(ref: string): Promise<{ adapter: AdapterRow; row: AdapterVersionRow | undefined }> {
    const byId = await this.#store.version(ref);
    if (byId) return { adapter: await this.#adapter(byId.name), row: there(byId, ref) };
    const parsed = parsedRef(ref);
    if (parsed.by === 'number') {
      const row = there(await this.#store.numbered(parsed.name, parsed.number), ref);
      return { adapter: await this.#adapter(parsed.name), row };
    }
    const adapter = await this.#store.adapter(parsed.by === 'latest' ? parsed.name : parsed.text);
    if (!adapter) throw unknownVersion(ref);
    return { adapter, row: adapter.latest === null ? undefined : await this.#store.version(adapter.latest) };
  }

  /** The nearest of those before it whose files are there. */
  async #before(id: string): Promise<AdapterVersionRow | undefined> {
    let row = await this.#store.version(id);
    do row = row?.parent ? await this.#store.version(row.parent) : undefined;
    while (row?.bytes === 0);
    return row;
  }

  /** Its bytes are compared once, and again when the file looks different. @throws ADAPTER_INVALID */
  async #verify({ id, gguf_sha256: wanted }: AdapterVersionRow): Promise<void> {
    const path = this.#files.gguf(id);
    const looks = looksOf(await stat(path).catch(ifMissing));
    if (looks !== undefined && this.#verified.get(id) === looks) return;
    if (looks === undefined || (await sha256OfFile(path)) !== wanted) throw damagedVersion(id);
    this.#verified.set(id, looks);
  }
}

function looksOf(file: Stats | undefined): string | undefined {
  return file && `${file.ino} ${file.size} ${file.mtimeMs} ${file.ctimeMs}`;
}

function there(row: AdapterVersionRow | undefined, ref: string): AdapterVersionRow {
  if (!row || row.bytes === 0) throw unknownVersion(ref);
  return row;
}
