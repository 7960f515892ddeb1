import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { TorchProgress, TorchState, TorchVariant } from '../../../../src-preload/contract/learning-torch.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { writeAtomically } from '../../../base/atomic-file.ts';
import { makeFolder } from '../../../base/folder.ts';
import { folderBytes } from '../../../base/folder-bytes.ts';
import { freeBytes } from '../../../base/free-bytes.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { ifMissing, ignoring } from '../../../base/swallowed.ts';
import { findTool, PYTHON_RANGE, type Tool } from './find-tool.ts';
import { trainerFile } from './program.ts';
import { runToEnd } from './tool.ts';

/** What an environment is, written when it was found to work: without it there is none. */
const installedSchema = z.object({
  /** SHA-256 of the list of packages: another version of Quarry may want others. */
  lock: z.string(),
  variant: z.enum(['cpu', 'cuda']),
  tool: z.enum(['uv', 'pip']),
  python: z.string(),
  torch: z.string(),
  /** Its folder: each installation has another, so that a tool that outlived a killed node writes into none that is used. */
  env: z.string().regex(/^env-[0-9a-f]{12}$/),
});
type Mark = z.infer<typeof installedSchema>;
export interface InstalledTorch extends Mark {
  /** The program that runs the trainer. */
  program: string;
}

const REQUIREMENTS = 'requirements.txt';
const MARK = 'environment.json';
const ENV = 'env-';
/** Downloads that an installation which was cut off goes on with. */
const CACHE = 'cache';
/** Downloads that have not come whole. */
const BEGUN = join(CACHE, 'begun');
/** Unpacked, packages take so many times what was downloaded: measured on Linux. */
const UNPACKED = 1.75;
const LOOK_MS = 2_000;
const sizesSchema = z.record(z.string(), z.int().positive());

export interface TorchEnvironmentOptions {
  /** Its own: a folder of the data folder. */
  folder: string;
  /** Where programs are looked for. Default: the environment's PATH. */
  path?: string;
  /** The list of packages. Default: that which Quarry comes with. */
  requirements?: string;
}

/** Python with PyTorch, in a folder of its own: installed when somebody asks for it, removed as a whole. */
export class TorchEnvironment {
  readonly #options: TorchEnvironmentOptions;
  #installing: Promise<InstalledTorch> | undefined;

  constructor(options: TorchEnvironmentOptions) {
    this.#options = options;
  }

  /** `broken`: it belongs to another version of Quarry, or part of it is gone; {@link install} makes it anew. */
  async state(): Promise<TorchState> {
    if (this.#installing) return 'installing';
    if (!(await stat(this.#path(MARK)).catch(ifMissing))) return 'absent';
    return (await this.installed()) ? 'ready' : 'broken';
  }

  /** What is installed and can be used. */
  async installed(): Promise<InstalledTorch | undefined> {
    const text = await readFile(this.#path(MARK), 'utf8').catch(ifMissing);
    const mark = text === undefined ? undefined : installedSchema.safeParse(parsedJson(text)).data;
    if (mark?.lock !== (await this.#lock())) return undefined;
    const program = this.#program(mark.env);
    return (await stat(program).catch(ifMissing)) ? { ...mark, program } : undefined;
  }

  /**
   * Bytes to download on a computer like this, and that it takes on the disk while it is installed. The index of Python's packages has one build for Linux, for both variants; for
   * others only that for the processor.
   * @throws UNSUPPORTED where there is none
   */
  async size(variant: TorchVariant): Promise<{ download: number; disk: number }> {
    const platform = `${process.platform}-${process.arch}`;
    const sizes = sizesSchema.parse(parsedJson(await readFile(trainerFile('sizes.json'), 'utf8')));
    const download = sizes[platform];
    if (download === undefined || (variant === 'cuda' && process.platform !== 'linux')) {
      throw new QuarryError({ code: 'UNSUPPORTED', message: say('torch.noBuild', { platform, variant }) });
    }
    return { download, disk: Math.ceil(download * (1 + UNPACKED)) };
  }

  /**
   * Installs it, by uv or, where that is not there, by Python's own means. What was downloaded before it was cut off is not downloaded again. Where it is ready, nothing is done.
   * @throws UNSUPPORTED, DISK_FULL, DOWNLOAD_FAILED (retryable); the signal's reason
   */
  async install(
    { variant }: { variant: TorchVariant },
    signal?: AbortSignal,
    onProgress: (progress: TorchProgress) => void = () => {},
  ): Promise<InstalledTorch> {
    const there = await this.installed();
    if (there?.variant === variant && !this.#installing) return there;
    this.#installing ??= this.#install(variant, signal, onProgress).finally(() => {
      this.#installing = undefined;
    });
    return await this.#installing;
  }

  /** @throws BAD_REQUEST while it is being installed */
  async remove(): Promise<void> {
    if (this.#installing) throw new QuarryError({ code: 'BAD_REQUEST', message: say('torch.busy') });
    await rm(this.#path(MARK), { force: true });
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  async #install(
    variant: TorchVariant,
    signal: AbortSignal | undefined,
    onProgress: (progress: TorchProgress) => void,
  ): Promise<InstalledTorch> {
    const { folder, path } = this.#options;
    const { download, disk } = await this.size(variant);
    await makeFolder(folder);
    const tool = await findTool(folder, signal, path);
    await this.#checkRoom(disk);
    // uv keeps packages unpacked, pip as they came.
    const of = Math.ceil(download * (tool.kind === 'uv' ? UNPACKED : 1));
    await this.#clear();
    const env = `${ENV}${randomBytes(6).toString('hex')}`;
    const tell = async (phase: TorchProgress['phase']) => {
      onProgress({ phase, bytes: Math.min(of, await folderBytes(this.#path(CACHE))), of });
    };
    await tell('python');
    await this.#makePython(tool, env, signal);
    await watched(this.#addPackages(tool, env, signal), () => tell('packages'));
    await tell('check');
    const found = await this.#check(env, signal);
    await rm(this.#path(CACHE), { recursive: true, force: true });
    const mark: Mark = { lock: await this.#lock(), variant, tool: tool.kind, ...found, env };
    await writeAtomically(this.#path(MARK), `${JSON.stringify(mark)}\n`);
    return { ...mark, program: this.#program(env) };
  }

  /** Takes away what was installed, or half installed; downloads stay. */
  async #clear(): Promise<void> {
    await rm(this.#path(MARK), { force: true });
    await rm(this.#path(BEGUN), { recursive: true, force: true });
    await makeFolder(this.#path(BEGUN));
    const old = (await readdir(this.#options.folder)).filter((name) => name.startsWith(ENV));
    for (const name of old) {
      const gone = rm(this.#path(name), { recursive: true, force: true });
      await gone.catch(
        ignoring('a tool that outlived a killed node may be writing there; the next time takes it away'),
      );
    }
  }

  async #makePython(tool: Tool, env: string, signal: AbortSignal | undefined): Promise<void> {
    const [folder, options] = [this.#path(env), { signal, more: this.#places() }];
    if (tool.kind === 'uv') await runToEnd(tool.path, ['venv', '--quiet', '--python', PYTHON_RANGE, folder], options);
    else await runToEnd(tool.python, ['-I', '-m', 'venv', folder], options);
  }

  /** Only packages that are ready made, each held to its SHA-256: nothing of them runs while they are installed. */
  async #addPackages(tool: Tool, env: string, signal: AbortSignal | undefined): Promise<void> {
    const [list, program] = [this.#path(REQUIREMENTS), this.#program(env)];
    await writeAtomically(list, await readFile(this.#requirements));
    const options = { signal, more: this.#places() };
    const how = ['--require-hashes', '--no-deps', '--only-binary', ':all:', '-r', list];
    if (tool.kind === 'uv') await runToEnd(tool.path, ['pip', 'install', '--python', program, ...how], options);
    else await runToEnd(program, ['-m', 'pip', 'install', '--disable-pip-version-check', ...how], options);
  }

  async #check(env: string, signal: AbortSignal | undefined): Promise<{ python: string; torch: string }> {
    const asked =
      'import json, platform, gguf, numpy, safetensors, torch; print(json.dumps([platform.python_version(), torch.__version__]))';
    const said = await runToEnd(this.#program(env), ['-I', '-c', asked], { signal });
    const [python, torch] = z.tuple([z.string().max(100), z.string().max(100)]).parse(parsedJson(said));
    return { python, torch };
  }

  async #checkRoom(disk: number): Promise<void> {
    const free = await freeBytes(this.#options.folder);
    if (free >= disk) return;
    throw new QuarryError({ code: 'DISK_FULL', message: say('torch.noRoom', { disk, free }) });
  }

  /** All that the tools write lies in the folder, and goes with it. */
  #places(): Record<string, string> {
    const { path } = this.#options;
    const cache = this.#path(CACHE);
    const begun = this.#path(BEGUN);
    return {
      ...{ TMPDIR: begun, TEMP: begun, TMP: begun },
      ...{
        UV_CACHE_DIR: cache,
        PIP_CACHE_DIR: cache,
        UV_PYTHON_INSTALL_DIR: this.#path('python'),
        UV_NO_PROGRESS: '1',
      },
      ...(path !== undefined && { PATH: path }),
    };
  }

  async #lock(): Promise<string> {
    return createHash('sha256')
      .update(await readFile(this.#requirements))
      .digest('hex');
  }

  get #requirements(): string {
    return this.#options.requirements ?? trainerFile(REQUIREMENTS);
  }

  #program(env: string): string {
    return join(this.#path(env), ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  }

  #path(name: string): string {
    return join(this.#options.folder, name);
  }
}

/** Tells how far it is, now and then, until it is done. */
async function watched(work: Promise<void>, tell: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let done = false;
  const look = async () => {
    await tell().catch(ignoring('it is for show, and the work itself says what goes wrong'));
    if (done) return;
    timer = setTimeout(() => {
      looking = look();
    }, LOOK_MS);
  };
  let looking = look();
  try {
    await work;
  } finally {
    done = true;
    clearTimeout(timer);
    await looking; // else it would tell of this work when the next is told of
  }
}
