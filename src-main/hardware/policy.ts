import type { PolicyRule } from '../../src-preload/contract/activity.ts';
import { type Said, type Saying, say, told, wordsOf } from '../../src-preload/contract/saying.ts';
import type { Action, PolicySettings } from './policy-settings.ts';
import { isQuiet, parseQuietHours } from './quiet-hours.ts';
import type { Reading } from './reading.ts';

export type Rule = PolicyRule;
export type Mode = 'full' | 'throttled' | 'paused';

/** What other programs take of the GPU. */
export interface OtherGpuUse {
  /** Bytes of GPU memory. */
  vram: number;
  /** Their names, as far as they are known. */
  programs: string[];
}

/** What the rules look at, at one moment. A reading without a value leaves its rule undecided, and says so. */
export interface PolicyInputs {
  battery: Reading<{ onBattery: boolean; percent?: number }>;
  /** Seconds since somebody last touched keyboard or mouse. */
  userIdleSeconds: Reading<number>;
  otherGpu: Reading<OtherGpuUse>;
  /** Degrees Celsius of the hottest part. */
  temperature: Reading<number>;
  /** Minutes after midnight, local time. */
  minuteOfDay: number;
  /** The last decision found it too hot: it stays so until it has cooled down. */
  wasHot: boolean;
}

/** How one rule stands: `off` by setting, not met, met, or nobody can tell. */
export interface RuleVerdict {
  rule: Rule;
  action: Action;
  state: 'off' | 'clear' | 'met' | 'unknown';
  /** One sentence for a person. */
  text: string;
  said?: Said | undefined;
}

export interface PolicyDecision {
  mode: Mode;
  /** The rules that are met, with the sentence to show; empty at full speed. */
  reasons: { rule: Rule; text: string; said?: Said | undefined }[];
  /** Every rule, met or not. */
  rules: RuleVerdict[];
  /** To be given back as `wasHot` next time. */
  hot: boolean;
}

/** What a rule found: whether it is met (undefined: nobody can tell) and the sentence. */
interface Finding {
  met: boolean | undefined;
  text: Saying;
}

const MB = 1_000_000;

/** Decides how hard this computer works for others: the strictest rule that is met wins. Pure. */
export function decide(inputs: PolicyInputs, settings: PolicySettings): PolicyDecision {
  const rules = [
    verdict('battery', settings.onBattery, () => batteryRule(inputs)),
    verdict('user', settings.userActive, () => userRule(inputs, settings)),
    verdict('gpu', settings.otherGpu, () => gpuRule(inputs, settings)),
    verdict('heat', settings.heat, () => heatRule(inputs, settings)),
    verdict('quiet-hours', settings.quietAction, () => quietRule(inputs, settings)),
  ];
  const met = rules.filter(({ state }) => state === 'met');
  return {
    mode: strictest(met),
    reasons: met.map(({ rule, text, said }) => ({ rule, text, said })),
    rules,
    hot: met.some(({ rule }) => rule === 'heat'),
  };
}

function verdict(rule: Rule, action: Action, find: () => Finding): RuleVerdict {
  if (action === 'off') return { rule, action, state: 'off', ...told({ text: say('policy.off') }) };
  const { met, text } = find();
  return { rule, action, state: met === undefined ? 'unknown' : met ? 'met' : 'clear', ...told({ text }) };
}

function strictest(met: RuleVerdict[]): Mode {
  if (met.some(({ action }) => action === 'pause')) return 'paused';
  return met.length > 0 ? 'throttled' : 'full';
}

function batteryRule({ battery }: PolicyInputs): Finding {
  if (battery.value === undefined) return unknown('policy.battery.unknown', battery);
  const { onBattery, percent } = battery.value;
  if (!onBattery) return { met: false, text: say('policy.battery.mains') };
  return {
    met: true,
    text: percent === undefined ? say('policy.battery.met') : say('policy.battery.percent', { percent }),
  };
}

function userRule({ userIdleSeconds: idle }: PolicyInputs, { userIdleSeconds: limit }: PolicySettings): Finding {
  if (idle.value === undefined) return unknown('policy.user.unknown', idle);
  if (idle.value < limit) return { met: true, text: say('policy.user.met') };
  return { met: false, text: say('policy.user.clear', { seconds: Math.round(idle.value) }) };
}

function gpuRule({ otherGpu }: PolicyInputs, { otherGpuMemory }: PolicySettings): Finding {
  if (otherGpu.value === undefined) return unknown('policy.gpu.unknown', otherGpu);
  const { vram, programs } = otherGpu.value;
  if (vram <= otherGpuMemory * MB) return { met: false, text: say('policy.gpu.clear') };
  const who = programs.length > 0 ? programs.slice(0, 3) : say('policy.gpu.another');
  return { met: true, text: say('policy.gpu.met', { who, taken: vram }) };
}

function heatRule({ temperature, wasHot }: PolicyInputs, { heatAbove, heatBelow }: PolicySettings): Finding {
  if (temperature.value === undefined) return unknown('policy.heat.unknown', temperature);
  const degrees = Math.round(temperature.value);
  if (temperature.value > heatAbove) return { met: true, text: say('policy.heat.met', { degrees, heatAbove }) };
  if (!wasHot || temperature.value < heatBelow) return { met: false, text: say('policy.heat.clear', { degrees }) };
  return { met: true, text: say('policy.heat.cooling', { degrees, heatBelow }) };
}

function quietRule({ minuteOfDay }: PolicyInputs, { quietHours }: PolicySettings): Finding {
  const now = quietHours.find((text) => {
    const span = parseQuietHours(text);
    return span !== undefined && isQuiet(minuteOfDay, span);
  });
  if (now) return { met: true, text: say('policy.quiet.met', { now }) };
  return { met: false, text: say(quietHours.length > 0 ? 'policy.quiet.clear' : 'policy.quiet.none') };
}

type Unknown = 'policy.battery.unknown' | 'policy.user.unknown' | 'policy.gpu.unknown' | 'policy.heat.unknown';

function unknown(key: Unknown, why: { reason: string; said?: Said | undefined }): Finding {
  return { met: undefined, text: say(key, { reason: wordsOf(why, 'reason') }) };
}
