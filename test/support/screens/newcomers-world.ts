import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../../src-main/app/app.ts';
import { createApp } from '../../../src-main/app/create-app.ts';
import { sha256OfFile } from '../../../src-main/base/sha256.ts';
import { BootstrapNode } from '../../../src-main/mesh/transport/bootstrap.ts';
import { loadConfig } from '../../../src-main/settings/config.ts';
import type { AskEvent } from '../../../src-preload/contract/inference.ts';
import { TEST_MESH } from '../mesh-name.ts';
import { ModelServer } from '../model-server.ts';
import { temporaryFolder } from '../quarry-process.ts';
import { writeSentencePieceModel } from '../small-models.ts';

/** The model that the newcomer is offered: random weights, so it runs anywhere and says nothing. */
export const PEBBLE = 'pebble';

/**
 * All that a newcomer's node meets: a meeting point, a web server with one model, a catalogue that knows it, and another node
 * that asks the mesh. Everything is on this machine.
 */
export class NewcomersWorld {
  readonly folder: string;
  readonly server: ModelServer;
  readonly #bootstrap = new BootstrapNode({ port: 0 });
  readonly #resources = new AsyncDisposableStack();
  #asker: App | undefined;

  private constructor(folder: string) {
    this.folder = folder;
    this.server = new ModelServer(join(folder, 'served.gguf'));
  }

  static async open(): Promise<NewcomersWorld> {
    const folder = await temporaryFolder();
    const world = new NewcomersWorld(folder.path);
    world.#resources.defer(() => folder.remove());
    await world.#open();
    return world;
  }

  close(): Promise<void> {
    return this.#resources.disposeAsync();
  }

  /** Of the node under test. */
  get dataDir(): string {
    return join(this.folder, 'newcomer');
  }

  /** Settings of the node under test; it does not mine before it is told to. */
  get environment(): Record<string, string> {
    return {
      QUARRY_DATA_DIR: this.dataDir,
      QUARRY_BOOTSTRAP: this.#meetingPoint,
      QUARRY_MESH_NAME: TEST_MESH.name,
      QUARRY_MINE_ON_START: 'false',
      QUARRY_MODELS_ENDPOINT: this.server.url,
      QUARRY_MODELS_CATALOGUES: join(this.folder, 'catalogue.json'),
      QUARRY_MODELS_FROM_PEERS: 'false',
      QUARRY_PORT: '0',
      QUARRY_THREADS: '1',
      QUARRY_PARALLEL: '2',
      QUARRY_LIMITS_REFUSE_WHEN_OVERLOADED: 'false',
      QUARRY_POLICY_ON_BATTERY: 'off',
      QUARRY_POLICY_HEAT: 'off',
      QUARRY_POLICY_OTHER_GPU: 'off',
      QUARRY_LANGUAGE: 'en',
    };
  }

  /** Asks the mesh from another node, as a stranger would. @throws when nobody answers */
  async ask(text: string): Promise<AskEvent | undefined> {
    const asker = await this.#openAsker();
    let last: AskEvent | undefined;
    const messages = [{ role: 'user' as const, content: text }];
    // Its likeliest words: what random weights say by chance may be nothing, which nobody signs for.
    const question = { target: 'mesh' as const, messages, maxTokens: 16, temperature: 0 };
    for await (const event of asker.inference.ask(question)) last = event;
    return last;
  }

  get #meetingPoint(): string {
    return `${this.#bootstrap.address.host}:${this.#bootstrap.address.port}`;
  }

  async #open(): Promise<void> {
    this.#resources.defer(() => this.#bootstrap.close());
    await this.#bootstrap.open();
    const file = join(this.folder, 'served.gguf');
    await writeSentencePieceModel(file);
    this.#resources.defer(() => this.server.close());
    await this.server.open();
    await writeFile(join(this.folder, 'catalogue.json'), JSON.stringify({ models: [await pebble(file)] }));
  }

  async #openAsker(): Promise<App> {
    if (this.#asker) return this.#asker;
    const env = { ...this.environment, QUARRY_DATA_DIR: join(this.folder, 'asker'), QUARRY_ROLE: 'client' };
    this.#asker = this.#resources.use(await createApp(loadConfig({ env }), { mesh: true }));
    return this.#asker;
  }
}

/** Going by what it says it is larger than any of the catalogue, and needs little memory: so it is recommended first anywhere. */
async function pebble(file: string) {
  return {
    name: PEBBLE,
    title: 'Pebble',
    description: 'Random weights for trying things out.',
    use: 'chat',
    parameters: 15_000_000_000,
    quantisation: 'F32',
    contextLength: 2_048,
    licence: 'mit',
    repository: 'quarry/pebble',
    file: 'pebble.gguf',
    bytes: (await stat(file)).size,
    sha256: await sha256OfFile(file),
    chatTemplate: 'none',
    shape: { layers: 200, embedding: 4_096, heads: 2, kvHeads: 2, headSize: 32, vocabulary: 300 },
  };
}
