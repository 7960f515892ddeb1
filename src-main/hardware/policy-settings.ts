import { z } from 'zod';
import { say } from '../../src-preload/contract/saying.ts';
import { about, atOnce, configError, section } from '../base/setting.ts';
import { parseQuietHours } from './quiet-hours.ts';

/** What a rule does when it holds. */
export const ACTIONS = ['off', 'throttle', 'pause'] as const;
export type Action = (typeof ACTIONS)[number];

const action = (byDefault: Action, description: string) =>
  atOnce(z.enum(ACTIONS).default(byDefault).meta(about(description)));

/** When this computer works less, or not at all, for others. Every rule is a setting. */
export const policySchema = z.strictObject({
  onBattery: action('pause', 'What to do while the computer runs on its battery.'),
  userActive: action('throttle', 'What to do while the computer is in use.'),
  userIdleSeconds: atOnce(
    z
      .int()
      .min(5)
      .max(86_400)
      .default(120)
      .meta(about('Seconds without keyboard or mouse after which it counts as not in use.')),
  ),
  otherGpu: action('pause', 'What to do while another program takes the GPU.'),
  otherGpuMemory: atOnce(
    z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1_000)
      .meta(about('GPU memory in MB that other programs may take before they count.')),
  ),
  heat: action('pause', 'What to do while the CPU or the GPU is too hot.'),
  heatAbove: atOnce(z.number().min(30).max(120).default(85).meta(about('Degrees Celsius above which it is too hot.'))),
  heatBelow: atOnce(
    z
      .number()
      .min(20)
      .max(119)
      .default(75)
      .meta(about('Degrees Celsius below which it has cooled down; must be less than heatAbove.')),
  ),
  quietHours: atOnce(
    z
      .array(z.string().refine((text) => parseQuietHours(text) !== undefined))
      .max(24)
      .default([])
      .meta(about('Spans of local time, across midnight too.', { wanted: say('settings.wanted.times') })),
  ),
  quietAction: action('pause', 'What to do in quiet hours.'),
});
export type PolicySettings = z.infer<typeof policySchema>;

export const policySettings = section(
  { policy: policySchema },
  {
    contradiction({ policy: { heatAbove, heatBelow } }) {
      if (heatBelow < heatAbove) return undefined;
      const error = configError(
        say('settings.heat', { heatBelow, heatAbove }),
        say('settings.degreesBetween'),
        'policy.heatBelow',
      );
      return { between: ['policy.heatAbove', 'policy.heatBelow'], error };
    },
  },
);
