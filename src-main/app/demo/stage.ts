import { closeAll } from '../../base/close-all.ts';
import { ListenerSet } from '../../base/listener-set.ts';
import type { Booking } from '../../credits/credits.ts';
import type { Receipt } from '../../credits/receipt.ts';
import { PAIR_CAP_A_DAY } from '../../credits/score/score.ts';
import type { Tier } from '../../credits/tiers.ts';
import { BootstrapNode } from '../../mesh/transport/bootstrap.ts';
import type { Config } from '../../settings/config.ts';
import { NO_MINING } from '../parts/mesh/mining.ts';
import { need } from '../parts/need.ts';
import { demoConfig, friendConfig, mainConfig } from './demo-config.ts';
import { type DemoModel, takeIn } from './demo-model.ts';
import { DemoNode } from './demo-node.ts';
import type { DemoPace } from './pace.ts';

/** Those who come one after the other, each for a while. */
const NAMES = [
  ...['ada', 'ben', 'cleo', 'dora', 'emil', 'frida', 'gus', 'hana', 'ivo', 'jana', 'karl', 'lena', 'milo', 'nora'],
  ...['otto', 'pia', 'quinn', 'rosa', 'sven', 'tara', 'ugo', 'vera', 'wim', 'xenia', 'yuri', 'zoe'],
];
/** How many are there at once. */
const FRIENDS = 5;

/** A receipt that both sides signed is on a worker's books. */
export interface Booked {
  worker: DemoNode;
  receipt: Receipt;
  booking: Booking;
}

/** All nodes of the demonstration, and who does what. A resource: the nodes go when it is disposed of. */
export class Stage implements AsyncDisposable {
  readonly pace: DemoPace;
  readonly folder: string;
  readonly model: DemoModel;
  /** The node that one watches. */
  readonly main: DemoNode;
  /** The user's own: whoever asks it by its API asks the mesh. */
  readonly yours: DemoNode;
  /** Counts the questions: each is another one, of somebody else. */
  turn = 0;
  readonly #bootstrap = new BootstrapNode({ port: 0 });
  readonly #given: Config;
  readonly #booked = new ListenerSet<[Booked]>();
  /** Receipts of each node that the main worker has on its books, and whether more of them count. */
  readonly #receipts = new Map<string, { count: number; usedUp: boolean }>();
  #shared: Config | undefined;
  #friends: DemoNode[] = [];
  #second: DemoNode | undefined;
  /** Who did so last: it is somebody else's turn then. */
  #served: DemoNode | undefined;
  #came = 0;
  #posts = 0;

  constructor(options: { config: Config; folder: string; model: DemoModel; pace: DemoPace }) {
    this.#given = options.config;
    this.folder = options.folder;
    this.model = options.model;
    this.pace = options.pace;
    this.main = new DemoNode('demo-worker', options.folder);
    this.yours = new DemoNode('you', options.folder);
    this.onBooked((booked) => this.#count(booked));
  }

  /** Opens the meeting point and all nodes; the main worker serves then, and one beside it. Not all of them where the signal aborts. */
  async open(signal: AbortSignal): Promise<void> {
    await this.#bootstrap.open();
    const { host, port } = this.#bootstrap.address;
    this.#shared = demoConfig(this.#given, `${host}:${port}`);
    const model = await takeIn(this.model, this.main.modelsFolder);
    const app = await this.main.open(mainConfig(this.#shared, model), {
      mesh: true,
      sharing: true,
      fleet: true,
      worker: true,
      server: true,
    });
    this.#follow(this.main);
    if (!signal.aborted) await app.mining?.switch.start();
    if (!signal.aborted)
      await this.yours.open(friendConfig(this.#shared, 'client'), { mesh: true, fleet: true, server: true });
    while (this.#friends.length < FRIENDS && !signal.aborted) await this.#welcome();
    if (!signal.aborted) await this.serveNext();
  }

  /** Where all of them meet. */
  get bootstrap(): { host: string; port: number } {
    return this.#bootstrap.address;
  }

  /** Those who ask; one of them serves at the moment. */
  get friends(): readonly DemoNode[] {
    return this.#friends;
  }

  /** Who serves beside the main worker; undefined while nobody does. */
  get second(): DemoNode | undefined {
    return this.#second;
  }

  get workers(): DemoNode[] {
    return this.#second ? [this.main, this.#second] : [this.main];
  }

  /** All that take part in the mesh by themselves. */
  get everybody(): DemoNode[] {
    return [this.main, ...this.#friends].filter(({ isHere }) => isHere);
  }

  /** Those who are there and only ask. */
  get askers(): DemoNode[] {
    return this.#friends.filter((node) => node.isHere && node !== this.#second);
  }

  nameOf(id: string): string {
    return [this.main, this.yours, ...this.#friends].find((node) => node.id === id)?.name ?? 'somebody';
  }

  /** Who asks next: one after the other, also the one that serves. Who has nothing to give to the main worker any more does not. */
  nextAsker(): DemoNode | undefined {
    const fresh = this.#friends.filter((node) => node.isHere && !this.isUsedUp(node));
    return fresh[this.turn % fresh.length];
  }

  /** How soon a node is served by a worker: by what that owes it. */
  tierAt(worker: DemoNode, client: DemoNode): Tier {
    return worker.app.credits.worker.standing(client.id).tier;
  }

  /** @returns how to stop it */
  onBooked(listener: (booked: Booked) => void): () => void {
    return this.#booked.subscribe(listener);
  }

  /** Whether the main worker can earn no more by this node today. */
  isUsedUp({ id }: DemoNode): boolean {
    return this.#receipts.get(id)?.usedUp ?? false;
  }

  receiptsOf({ id }: DemoNode): number {
    return this.#receipts.get(id)?.count ?? 0;
  }

  /** One leaves for good, and another comes, with a new key. */
  async replace(node: DemoNode): Promise<DemoNode> {
    this.#friends = this.#friends.filter((other) => other !== node);
    this.#receipts.delete(node.id);
    await node.remove();
    return await this.#welcome();
  }

  /** The next friend serves beside the main worker; who did so before only asks from now on. */
  async serveNext(): Promise<DemoNode> {
    const others = this.#friends.filter((node) => node !== this.#served);
    const next = others[this.#posts++ % others.length];
    if (!next) throw new Error('There is nobody who could serve.');
    const before = this.#second;
    this.#second = undefined;
    if (before) await this.bring(before);
    this.#served = next;
    await next.open(friendConfig(this.#config, 'miner', this.model.second), { engine: true, mesh: true, worker: true });
    this.#follow(next);
    this.#second = next;
    return next;
  }

  /** A node comes (back) as one that only asks. @param sharing whether it also takes model files from others */
  async bring(node: DemoNode, { sharing = false } = {}): Promise<void> {
    await node.open(friendConfig(this.#config, 'client'), { mesh: true, sharing });
  }

  /** The one that serves beside the main worker goes. */
  async closeSecond(): Promise<void> {
    const gone = this.#second;
    this.#second = undefined;
    await gone?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const nodes = [this.main, this.yours, ...this.#friends];
    await closeAll(
      () => Promise.allSettled(nodes.map((node) => node.close())),
      () => this.#bootstrap.close(),
    );
  }

  get #config(): Config {
    if (!this.#shared) throw new Error('The demonstration has not begun.');
    return this.#shared;
  }

  async #welcome(): Promise<DemoNode> {
    const round = Math.floor(this.#came / NAMES.length);
    const name = NAMES[this.#came++ % NAMES.length] ?? 'zoe';
    const node = new DemoNode(round === 0 ? name : `${name}-${round + 1}`, this.folder);
    this.#friends = [...this.#friends, node]; // whoever closes the stage closes it too, however far it came
    await this.bring(node);
    return node;
  }

  #follow(worker: DemoNode): void {
    const { work } = need(worker.app.mining, NO_MINING);
    work.on('booked', (receipt, booking) => this.#booked.tell({ worker, receipt, booking }));
  }

  #count({ worker, receipt, booking }: Booked): void {
    if (worker !== this.main) return;
    const { client } = receipt.body;
    const count = (this.#receipts.get(client)?.count ?? 0) + 1;
    this.#receipts.set(client, { count, usedUp: booking.points === 0 || count >= PAIR_CAP_A_DAY });
  }
}
