import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { parseQuietHours } from './quiet-hours.ts';

/** What a rule does when it holds. */
export const ACTIONS = ['off', 'throttle', 'pause'] as const;
export type Action = (typeof ACTIONS)[number];

const action = z.enum(ACTIONS);

/** When this computer works less, or not at all, for others. Every rule is a setting. */
export const policySettings = {
  onBattery: action.default('pause').describe('What to do while the computer runs on its battery.'),
  userActive: action.default('throttle').describe('What to do while somebody uses the computer.'),
  userIdleSeconds: z
    .int()
    .min(5)
    .max(86_400)
    .default(120)
    .describe('Seconds without keyboard or mouse after which nobody counts as using it.'),
  otherGpu: action.default('pause').describe('What to do while another program takes the GPU.'),
  otherGpuMemory: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1_024)
    .describe('GPU memory in MiB that other programs may take before they count.'),
  heat: action.default('pause').describe('What to do while the CPU or the GPU is too hot.'),
  heatAbove: z.number().min(30).max(120).default(85).describe('Degrees Celsius above which it is too hot.'),
  heatBelow: z
    .number()
    .min(20)
    .max(119)
    .default(75)
    .describe('Degrees Celsius below which it has cooled down; must be less than heatAbove.'),
  quietHours: z
    .array(z.string().refine((text) => parseQuietHours(text) !== undefined))
    .max(24)
    .default([])
    .meta({ description: 'Spans of local time, across midnight too.', wanted: say('settings.wanted.times') }),
  quietAction: action.default('pause').describe('What to do in quiet hours.'),
};

export const policySchema = z.strictObject(policySettings);
export type PolicySettings = z.infer<typeof policySchema>;
