import { accessSync, constants } from 'node:fs';
import type { DataSource, FoundVideo } from '../../../src-preload/contract/data.ts';
import { SOURCE_KINDS, type SourceKind } from '../../../src-preload/contract/data-names.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { type Saying, say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import { version } from '../../base/version.ts';
import { HttpClient, type HttpClientOptions } from '../../models/downloads/http-client.ts';
import { ArchiveSource } from './archive-source.ts';
import { CommonsSource } from './commons-source.ts';
import { FolderSource } from './folder-source.ts';
import { whyUnusable } from './licences.ts';
import { PeerTubeSource } from './peertube-source.ts';
import { PoliteClient, type PoliteClientOptions } from './polite-client.ts';
import type { Source } from './source.ts';
import type { SourceSettings } from './source-settings.ts';
import type { RunProgram } from './ytdlp-program.ts';
import { YtDlpSource } from './ytdlp-source.ts';

export interface SourcesOptions {
  /** As they are now; asked for each time. */
  settings: () => SourceSettings;
  /** For the user's yt-dlp. */
  run: RunProgram;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
  http?: Omit<HttpClientOptions, 'userAgent' | 'contact' | 'isNamed'>;
  polite?: Omit<PoliteClientOptions, 'client' | 'isNamed'>;
}

/** What whoever uses a source agrees to. */
const TERMS: Readonly<Record<SourceKind, Saying | undefined>> = {
  folder: undefined,
  archive: say('clipSources.termsArchive'),
  commons: say('clipSources.termsCommons'),
  peertube: say('clipSources.termsPeertube'),
  ytdlp: say('clipSources.termsProgram'),
};

/** Where videos come from, as the settings have it now. A resource: close it. */
export class Sources {
  readonly #options: SourcesOptions;
  /** When each was asked last, and what went wrong then. */
  readonly #asked = new Map<SourceKind, { at: number; fault: QuarryError | null }>();
  #web: { contact: string | undefined; http: HttpClient; client: PoliteClient } | undefined;

  constructor(options: SourcesOptions) {
    this.#options = options;
  }

  /** All there are, whether or not they can be asked. */
  list(): DataSource[] {
    return SOURCE_KINDS.map((kind) => {
      const { at = null, fault = null } = this.#asked.get(kind) ?? {};
      const [lack, terms] = [lackOf(kind, this.#settings), TERMS[kind]];
      return {
        kind,
        isOn: this.#settings.sources.includes(kind),
        lacks: lack ? told({ text: lack }) : null,
        terms: terms ? told({ text: terms }) : null,
        askedAt: at,
        fault: fault && told({ text: wordsOf(fault, 'message') }),
      };
    });
  }

  /** Those that are on, and can be asked. */
  get ready(): SourceKind[] {
    return this.#settings.sources.filter((kind) => !lackOf(kind, this.#settings));
  }

  /** One that is on. @throws UNSUPPORTED where the settings leave it out, or lack what it needs */
  get(kind: SourceKind): Source {
    const isOn = this.#settings.sources.includes(kind);
    const message = isOn ? lackOf(kind, this.#settings) : say('clipSources.isOff', { source: kind });
    if (message) throw new QuarryError({ code: 'UNSUPPORTED', message, hint: say('clipSources.inSettings') });
    const source = this.#open(kind);
    const watched = <Done>(work: Promise<Done>, signal: AbortSignal) => this.#watch(kind, work, signal);
    return {
      kind,
      search: (topic, options) => watched(source.search(topic, options), options.signal),
      look: (id, signal) => watched(source.look(id, signal), signal),
      fetch: (id, to, options) => watched(source.fetch(id, to, options), options.signal),
    };
  }

  /** Why no clip may be made of a video; undefined where one may. */
  whyUnusable({ licence }: Pick<FoundVideo, 'licence'>): Saying | undefined {
    return whyUnusable(licence, this.#settings.licences);
  }

  /** Ends every request. Idempotent. */
  async close(): Promise<void> {
    await this.#web?.http.close();
    this.#web = undefined;
  }

  get #settings(): SourceSettings {
    return this.#options.settings();
  }

  #open(kind: SourceKind): Source {
    const { run } = this.#options;
    const { peertube = '', ytdlp = '' } = this.#settings;
    switch (kind) {
      case 'folder':
        return new FolderSource(() => this.#settings.folders);
      case 'archive':
        return new ArchiveSource({ client: this.#client() });
      case 'commons':
        return new CommonsSource({ client: this.#client() });
      case 'peertube':
        return new PeerTubeSource({ client: this.#client(), instance: peertube });
      case 'ytdlp':
        return new YtDlpSource({ program: ytdlp, run });
    }
  }

  /** One for all hosts: it is what keeps each of them from being asked too often. */
  #client(): PoliteClient {
    const { contact } = this.#settings;
    if (this.#web?.contact === contact && this.#web) return this.#web.client;
    void this.#web?.http.close(); // whoever was told another contact is asked anew
    const isNamed = (origin: string) => origin === URL.parse(this.#settings.peertube ?? '')?.origin;
    const { http: options, polite } = this.#options;
    // Wikimedia's policy wants a name, its version, and whom to write to.
    const http = new HttpClient({ ...options, userAgent: `Quarry/${version}`, contact, isNamed });
    this.#web = { contact, http, client: new PoliteClient({ ...polite, client: http, isNamed }) };
    return this.#web.client;
  }

  async #watch<Done>(kind: SourceKind, work: Promise<Done>, signal: AbortSignal): Promise<Done> {
    const at = (this.#options.now ?? Date.now)();
    try {
      const done = await work;
      this.#asked.set(kind, { at, fault: null });
      return done;
    } catch (error) {
      // What is wrong with one video, or with the question, is no fault of the source.
      const isItsFault = error instanceof QuarryError && error.retryable && !signal.aborted;
      this.#asked.set(kind, { at, fault: isItsFault ? error : null });
      throw error;
    }
  }
}

/** Why it cannot be asked as the settings are; undefined where it can. */
function lackOf(kind: SourceKind, { folders, contact, peertube, ytdlp }: SourceSettings): Saying | undefined {
  if (kind === 'folder' && folders.length === 0) return say('clipSources.noFolders');
  if (kind === 'commons' && contact === undefined) return say('clipSources.noContact');
  if (kind === 'peertube' && peertube === undefined) return say('clipSources.noInstance');
  if (kind !== 'ytdlp') return undefined;
  if (ytdlp === undefined) return say('clipSources.noProgram');
  return isProgram(ytdlp) ? undefined : say('clipSources.noSuchProgram', { path: ytdlp });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // it is not there, or cannot be run: either way it is of no use
  }
}
