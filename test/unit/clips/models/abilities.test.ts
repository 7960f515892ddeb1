import { expect, it } from 'vitest';
import { captionsAbility } from '../../../../src-main/clips/models/abilities.ts';
import { chooseCaptioner } from '../../../../src-main/clips/models/captioner.ts';
import { captioner } from '../../../../src-main/clips/models/clip-model-settings.ts';

const abilityOf = (set: object) => captionsAbility(chooseCaptioner(captioner.parse(set)));

it('names the model that describes clips and where it is, or what is lost without one', () => {
  expect(abilityOf({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm' })).toEqual({
    ...{ ability: 'captions', isReady: true, by: 'm (127.0.0.1:1)', lost: null, hint: null },
  });
  expect(abilityOf({})).toMatchObject({ isReady: false, by: null });
  expect(abilityOf({}).lost?.text).not.toBe('');
  expect(abilityOf({}).hint?.text).not.toBe('');
});
