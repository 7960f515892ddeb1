import type { Config } from '../../settings/config.ts';

/** All nodes of the demonstration come from one address, which would have had its 20 credits after a minute. */
const GIFT = 100_000;
/** Requests a minute of each client, whatever its tier: there are few clients, and they ask a lot. */
const PER_MINUTE = 120;
/** Two at a time, or nobody would ever wait. */
const PARALLEL = 2;
const CONTEXT_SIZE = 2_048;
/** Bytes a second for sharing model files: nobody watches for a minute. */
const UPLOAD_LIMIT = 20_000_000;

/** What the demonstration sets differently from a node of one's own, for whoever watches it. */
export const DIFFERS = [
  `All nodes share one address, this computer. So one address may have ${GIFT.toLocaleString('en')} credits on trust here, not 20.`,
  `Each node may ask ${PER_MINUTE} times a minute, and shares files at ${UPLOAD_LIMIT / 1_000_000} MB a second.`,
  `A worker answers ${PARALLEL} requests at a time, of ${CONTEXT_SIZE.toLocaleString('en')} tokens each. The second worker uses one CPU thread and no GPU.`,
  'Nobody pauses on battery, for heat, or while you use the computer; and a busy computer refuses nothing.',
];

/** The same, where the built-in model answers: see DEMO_PACE. */
export const DIFFERS_BUILT_IN =
  'When all ask at once, the built-in model works at a twentieth of its speed. Otherwise nobody would have to wait.';

/** Nothing of the user's own mesh, and none of the limits that would end a demonstration. */
export function demoConfig(config: Config, bootstrap: string): Config {
  const { scoreLogsMb } = config.mesh;
  const { newcomer, bronze, silver, gold, platinum } = config.limits.requestsPerMinute;
  const perMinute = Object.fromEntries(
    Object.entries({ newcomer, bronze, silver, gold, platinum }).map(([tier, own]) => [
      tier,
      Math.max(own, PER_MINUTE),
    ]),
  );
  return {
    ...config,
    backend: 'local',
    model: undefined,
    showWelcome: false,
    bootstrap: [bootstrap],
    mesh: { otherModels: false, scoreLogsMb },
    models: { ...config.models, folder: undefined },
    sharing: { ...config.sharing, seed: false, uploadLimit: UPLOAD_LIMIT },
    credits: { ...config.credits, rule: 'claims', gift: GIFT },
    parallel: PARALLEL,
    contextSize: CONTEXT_SIZE,
    limits: {
      ...config.limits,
      refuseWhenOverloaded: false,
      requestsPerMinute: { ...config.limits.requestsPerMinute, ...perMinute },
    },
    policy: { ...config.policy, onBattery: 'off', userActive: 'off', otherGpu: 'off', heat: 'off', quietAction: 'off' },
  };
}

/** The node that one watches: with the user's own address, threads and GPU. */
export function mainConfig(shared: Config, model: string): Config {
  return { ...shared, role: 'miner', model };
}

/** The others: light, and reached from nowhere else. */
export function friendConfig(shared: Config, role: 'miner' | 'client', model?: string): Config {
  const { apiToken: _, publicUrl: __, ...config } = shared;
  return { ...config, role, host: '127.0.0.1', port: 0, model, threads: 1, gpuLayers: 0 };
}
