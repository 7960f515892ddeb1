import { NOW } from '../sample-data.ts';
import type { Script, ScriptedOs } from './answers.ts';

/** The contract's `learning` out of a script. */
export function script(os: ScriptedOs['learning']): Script<'learning'> {
  return {
    status: os.status.handler(() => ({
      keeps: true,
      adapter: 'personal',
      answers: { count: 42, bytes: 310_000, oldest: NOW - 12 * 86_400_000 },
      feedback: { waiting: 2, taken: 0 },
    })),
  };
}
