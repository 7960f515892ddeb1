import { QuarryError } from '../../src-preload/contract/errors.ts';
import type { Elsewhere } from '../base/setting.ts';
import { checkGiven } from './config-check.ts';
import { type Given, unknownSetting } from './config-layers.ts';
import { SECTIONS } from './config-schema.ts';
import { settingAt } from './config-settings.ts';

export interface ElsewhereLayer {
  given: Given[];
  /** Why something was left out. */
  refused: QuarryError[];
}

/** What other programs have set, below everything that is set in Quarry. What cannot be used is left out: it must not keep the node from starting. */
export function fromElsewhere(world: Omit<Elsewhere, 'own'>, givenHere: readonly Given[]): ElsewhereLayer {
  const own = new Map(givenHere.map(({ setting, value }) => [setting.path, value]));
  const found = SECTIONS.flatMap((section) => section.elsewhere?.({ ...world, own }) ?? []);
  const refused = found.flatMap((one) => one.refused);
  const given = found.flatMap(({ taken }) =>
    taken.flatMap(({ path, ...theirs }) => {
      const setting = settingAt(path);
      if (!setting) throw unknownSetting(path);
      if (own.has(path)) return [];
      try {
        return [checkGiven({ setting, layer: 'elsewhere', ...theirs })];
      } catch (error) {
        refused.push(QuarryError.from(error));
        return [];
      }
    }),
  );
  return { given, refused };
}
