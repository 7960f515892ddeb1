import type { AxonChoice, AxonState } from '../../../../src-preload/contract/axon.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { GenerateResult } from '../../../../src-preload/contract/inference.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { watched } from '../../../base/watched.ts';
import { AxonService } from '../../../bittensor/axon/axon-service.ts';
import type { AxonSettings } from '../../../bittensor/axon/axon-settings.ts';
import type { Neurons } from '../../../bittensor/axon/neurons.ts';
import { Router } from '../../../bittensor/axon/router.ts';
import { serveText, type TextWorker } from '../../../bittensor/axon/text-answers.ts';
import { addressUnknown } from '../../../bittensor/wallet/refusals.ts';
import type { Wallets } from '../../../bittensor/wallet/wallets.ts';
import { tierOfNeuron } from '../../../credits/tiers.ts';
import { checkAxon } from '../../../hardware/doctor/axon.ts';
import type { DirectOptions } from '../../../mesh/serving/direct-door.ts';
import { AxonNonceStore } from '../../../store/bittensor/axon-nonces.ts';
import { type ClipWorker, serveSounds, serveVideos } from '../../../subnets/omega/clips/synapse/serve-clips.ts';
import { serveBenchmarks } from '../../../subnets/quasar/synapse/benchmark-answers.ts';
import { type ProbeWorker, serveProbes } from '../../../subnets/quasar/synapse/inference-answers.ts';
import { answerProbe, type InferenceAnswer } from '../../../subnets/quasar/verification/answering.ts';
import type { TokenProbe } from '../../../validation/environment.ts';
import type { Core } from '../core.ts';
import type { EnginePart } from '../engine.ts';
import type { MeshPart } from '../mesh/mesh.ts';
import type { MiningPart } from '../mesh/mining.ts';
import { AS_MINER, type Lack } from '../need.ts';
import { probedModel } from '../probing.ts';
import type { Report } from '../report.ts';
import type { WalletPart } from './wallet.ts';

export const NO_AXON: Lack = { message: say('bittensor.axon.noMiner'), hint: AS_MINER };

/** What this node is on a subnet of Bittensor. */
export interface AxonPart {
  state(): AxonState;
  watch(signal?: AbortSignal): AsyncGenerator<AxonState, void, undefined>;
  /** Opens it, and keeps that it is to be open. @param choice for whom; kept, too */
  start(choice?: AxonChoice): Promise<void>;
  /** Closes it, and keeps that. */
  stop(): Promise<void>;
  check(): Promise<void>;
}

export interface AxonNeeds {
  engine: Pick<EnginePart, 'slot'>;
  mesh: Pick<MeshPart, 'swarm'>;
  mining: Pick<MiningPart, 'generate'>;
  /** Who hands in clips. */
  clips: { readonly worker: ClipWorker };
  wallet: Pick<WalletPart, 'wallets'>;
  /** Asks the chain who is registered on a subnet. */
  neurons: (netuid: number) => Promise<Neurons | undefined>;
  /** Whether the axon is open whenever that is set: for a single command it is not. */
  opens: boolean;
}

/** The model of a miner, behind the door that validators of Bittensor come by. Where it cannot be opened, the node is there all the same, and says why. */
export async function openAxonPart(
  core: Core,
  { engine, mesh, mining, clips, wallet: { wallets }, neurons, opens }: AxonNeeds,
): Promise<AxonPart> {
  const { settings, changes, db, log, ports, until, onClose } = core;
  const followed = settings.follow('axon');
  const worker = textWorker(mining);
  const service = new AxonService({
    settings: () => followed.now,
    addressOf: async (...names) => addressOf(await wallets(), ...names),
    synapses: [
      ...serveText(worker),
      serveBenchmarks(worker),
      serveProbes(probeWorker(mining, engine)),
      serveVideos(clips.worker),
      serveSounds(clips.worker),
    ],
    neurons,
    router: () => new Router({ spawner: ports.spawner, log }),
    peers: () => mesh.swarm.dht?.host ?? undefined,
    nonces: new AxonNonceStore(db),
    onChange: () => changes.tell(),
    log,
  });
  onClose(() => service.close());
  const asSet = (enabled: boolean) =>
    (enabled ? service.start() : service.stop()).catch((err: unknown) =>
      log.warn({ err }, 'the axon is not as it is set'),
    );
  if (opens) {
    const enabled = settings.follow('axon.enabled');
    enabled.whenSet((now) => void asSet(now));
    if (enabled.now) await asSet(true);
  }
  const keep = (enabled: boolean) => keepEnabled(core, followed.now.enabled, enabled);
  return {
    state: () => service.state(),
    watch: (signal) => watched(() => service.state(), changes, until(signal)),
    async start(choice = {}) {
      const changes = changesOf(choice, followed.now);
      if (Object.keys(changes).length > 0) {
        const { wallet, hotkey } = { ...followed.now, ...choice };
        if (wallet !== undefined) await addressOf(await wallets(), wallet, hotkey); // what is not there is not kept
        await settings.set({ changes });
        await service.stop(); // it may be open for another
      }
      await service.start();
      await keep(true);
    },
    async stop() {
      await service.stop();
      await keep(false);
    },
    check: () => service.check(),
  };
}

/** What of a choice is set otherwise: what the environment holds just so need not be set. */
function changesOf({ wallet, hotkey, netuid }: AxonChoice, now: AxonSettings): Record<string, string | number> {
  const chosen = Object.entries({ wallet, hotkey, netuid }) as [
    'wallet' | 'hotkey' | 'netuid',
    string | number | undefined,
  ][];
  return Object.fromEntries(
    chosen.flatMap(([name, value]) => (value === undefined || value === now[name] ? [] : [[`axon.${name}`, value]])),
  );
}

/** What a person opened or closed is so after a restart, too; where the environment or the command line say otherwise, they do. */
async function keepEnabled({ settings }: Pick<Core, 'settings'>, before: boolean, enabled: boolean): Promise<void> {
  if (enabled === before) return;
  await settings.set({ changes: { 'axon.enabled': enabled } }).catch((error: unknown) => {
    if (QuarryError.from(error).code !== 'CONFIG_INVALID') throw error;
  });
}

/** The hotkey's key stays where it is: to answer, its address is enough. */
async function addressOf(wallets: Wallets, wallet: string, hotkey: string): Promise<string> {
  const found = await wallets.find({ wallet, hotkey });
  if (found.address !== null) return found.address;
  if (found.sealing === 'plain') return wallets.withKey({ wallet, hotkey }, null, async ({ address }) => address);
  throw addressUnknown({ wallet, hotkey }, 'axon.hotkey');
}

/** The mesh's worker, by the door that wants no credits. */
function textWorker(mining: AxonNeeds['mining']): TextWorker {
  return {
    generate(request, caller, options) {
      const { hotkey: client, address: host, neuron } = caller;
      return mining.generate(request, { client, host, tier: tierOfNeuron(neuron), ...options });
    },
  };
}

/** The same for bare tokens: they wait in the same queue. */
function probeWorker(mining: AxonNeeds['mining'], { slot }: AxonNeeds['engine']): ProbeWorker {
  return async (probe, { hotkey: client, address: host, neuron }, signal) => {
    let answer: InferenceAnswer | undefined;
    const ask: DirectOptions['ask'] = async function* (options) {
      answer = await answerProbe(probedModel(slot), probe, options.signal);
      yield { type: 'done', result: probed(probe, answer.elapsed_sec) };
    };
    const request = { input: { prompt: 'tokens' }, maxTokens: probe.length, temperature: 0 };
    const options = { client, host, tier: tierOfNeuron(neuron), ask, signal };
    for await (const event of mining.generate(request, options)) if (event.type === 'done' && answer) return answer;
    throw new Error('A probe had no end.');
  };
}

/** As an answer in words that took as long. */
function probed({ prompt, length }: TokenProbe, seconds: number): GenerateResult {
  const totalMs = seconds * 1_000;
  return {
    ...{ text: '', finish: 'length', promptTokens: prompt.length, cachedTokens: 0, completionTokens: length },
    ...{ queuedMs: 0, firstTokenMs: totalMs, totalMs, tokensPerSecond: seconds > 0 ? length / seconds : 0 },
  };
}

/** @param isSet whether a hotkey is set: then somebody wants to be reached */
export function axonReport(axon: AxonPart | undefined, isSet: boolean): Report {
  if (!axon) return {};
  return {
    ...(isSet && { checks: { axon: async () => checkAxon(axon.state()) } }),
    figures: [
      { name: 'quarry_axon_running', help: '1 while the axon is open.', read: () => Number(axon.state().running) },
      {
        name: 'quarry_axon_answered_total',
        help: 'Requests that the axon has answered since it was opened.',
        kind: 'total',
        read: () => axon.state().answered,
      },
      {
        name: 'quarry_axon_refused_total',
        help: 'Requests that the axon has refused since it was opened, by status.',
        kind: 'total',
        label: 'status',
        read: () => Object.fromEntries(axon.state().refused.map(({ status, count }) => [status, count])),
      },
    ],
  };
}
