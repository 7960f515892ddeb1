import { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { HubQuantisation } from '../../../src-preload/contract/hub.ts';
import { type Saying, say } from '../../../src-preload/contract/saying.ts';

/**
 * The one of a repository's files that is meant.
 * @param wanted its quantisation, in capitals or not, or its path. Default: the one that suits this computer best
 * @throws MODEL_NOT_FOUND when it has none that can be used; BAD_REQUEST (field `quantisation`) naming those that it has
 */
export function chooseQuantisation(
  id: string,
  all: readonly HubQuantisation[],
  wanted: string | undefined,
): HubQuantisation {
  const usable = all.filter(({ pieces }) => pieces === 1);
  const names = usable.map(({ name }) => name).join(', ');
  if (usable.length === 0) throw nothingToUse(id, all.length > 0);
  if (wanted === undefined) {
    const best = usable.find(({ recommended }) => recommended);
    if (best) return best;
    throw badChoice(say('hub.nothingFits', { name: id }), say('hub.chooseOf', { names }));
  }
  const meant = all.filter(({ file, name }) => file === wanted || lower(name) === lower(wanted));
  const [first, second] = meant;
  if (!first) throw badChoice(say('hub.noSuchFile', { name: id, wanted }), say('hub.chooseOf', { names }));
  if (second) {
    const files = meant.map(({ file }) => file).join(', ');
    throw badChoice(say('hub.several', { name: id, wanted }), say('hub.chooseOf', { names: files }));
  }
  if (first.pieces > 1) throw badChoice(say('hub.inPieces', { wanted: first.name }), say('hub.chooseOf', { names }));
  return first;
}

function nothingToUse(id: string, hasPieces: boolean): QuarryError {
  const message = say(hasPieces ? 'hub.allInPieces' : 'hub.noFiles', { name: id });
  return new QuarryError({ code: 'MODEL_NOT_FOUND', message, hint: say('hub.otherRepository') });
}

function badChoice(message: Saying, hint: Saying): QuarryError {
  return new QuarryError({ code: 'BAD_REQUEST', message, hint, field: 'quantisation' });
}

const lower = (name: string) => name.toLowerCase();
