import type { DataAbility } from '../../../src-preload/contract/data.ts';
import { type Saying, say, told, type Words } from '../../../src-preload/contract/saying.ts';
import type { ChosenCaptioner } from './captioner.ts';
import type { ClipModel, ModelKind } from './files/model-manifest.ts';
import { thresholdsOf } from './space-thresholds.ts';

/** The models that are there. */
export type FoundModels = { [Kind in ModelKind]: ClipModel<Kind> | null };
/** Why one that is named cannot be used. */
export type ModelFaults = Partial<Record<ModelKind, Words>>;

/** What can be done with what is there, and what is lost without the rest. */
export function abilitiesOf(found: FoundModels, faults: ModelFaults): DataAbility[] {
  const { pictures, sounds, voice, words, speakers } = found;
  const hint = (...kinds: ModelKind[]) => kinds.map((kind) => faults[kind]).find(Boolean) ?? say('clipModels.fetch');
  return [
    ability('pictures', [pictures], say('clipModels.lost.pictures'), hint('pictures')),
    // Texts become numbers by the model that goes with the one of pictures.
    ability('texts', [pictures], say('clipModels.lost.texts'), hint('pictures')),
    ability('sounds', [sounds, pictures], say('clipModels.lost.sounds'), hint('sounds', 'pictures')),
    scores(found, hint('pictures')),
    ability('speech', [words, voice], say('clipModels.lost.speech'), hint('words', 'voice')),
    ability('speakers', [speakers], say('clipModels.lost.speakers'), hint('speakers')),
  ];
}

/** Clips are scored by how close they are, and what that means somebody has to measure. */
function scores({ pictures, sounds }: FoundModels, noPictures: Words): DataAbility {
  const isReady = thresholdsOf({ pictures, sounds }) !== null;
  return {
    ...{ ability: 'scores', isReady, by: null },
    lost: isReady ? null : told({ text: say('clipModels.lost.scores') }),
    hint: isReady ? null : told({ text: pictures ? say('clipModels.measure') : noPictures }),
  };
}

type Model = FoundModels[ModelKind];

function ability(name: DataAbility['ability'], models: readonly Model[], lost: Saying, hint: Words): DataAbility {
  const there = models.filter((model) => model !== null);
  const isReady = there.length === models.length;
  const by = there.map(({ manifest }) => `${manifest.name} (${manifest.licence})`).join(', ');
  return {
    ability: name,
    isReady,
    by: isReady ? by : null,
    lost: isReady ? null : told({ text: lost }),
    hint: isReady ? null : told({ text: hint }),
  };
}

/** Whether a model describes clips. It follows its settings at once. */
export function captionsAbility(captioner: ChosenCaptioner): DataAbility {
  const isReady = !('lacks' in captioner);
  return {
    ability: 'captions',
    isReady,
    by: isReady ? `${captioner.model} (${captioner.baseUrl.host})` : null,
    lost: isReady ? null : told({ text: say('clipModels.lost.captions') }),
    hint: isReady ? null : told({ text: captioner.lacks }),
  };
}
