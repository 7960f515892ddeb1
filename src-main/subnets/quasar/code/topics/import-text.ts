import type { SeededRandom } from '../../../../validation/seeded-random.ts';
import type { PlannedModule } from '../text/layout.ts';
import { NOUNS } from '../text/words.ts';

/** An import of a module, in one of the ways that Python has. */
export function importLines(
  random: SeededRandom,
  { folder }: Pick<PlannedModule, 'folder'>,
  to: Pick<PlannedModule, 'folder' | 'dotted'>,
): string[] {
  const [root = '', of = '', name = ''] = to.dotted.split('.');
  const alias = `${random.pick(NOUNS)}_of_${name}`;
  const isNear = to.folder === folder;
  const thing = `FIRST_${random.pick(NOUNS).toUpperCase()}`;
  switch (random.below(6)) {
    case 0:
      return [`import ${to.dotted}`];
    case 1:
      return [`import ${to.dotted} as ${alias}`];
    case 2:
      return [`from ${root}.${of} import ${name}`];
    case 3:
      return [isNear ? `from . import ${name} as ${alias}` : `from ..${of} import ${name}`];
    case 4:
      return [`from ${isNear ? `.${name}` : `..${of}.${name}`} import ${thing}`];
    default:
      return [`from ${to.dotted} import (`, `    ${thing},`, `    LAST_${random.pick(NOUNS).toUpperCase()},`, ')'];
  }
}
