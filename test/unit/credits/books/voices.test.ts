import { expect, it } from 'vitest';
import { HeardVoices, Voices } from '../../../../src-main/credits/books/voices.ts';
import { Claims } from '../../../../src-main/credits/standing/claims.ts';
import { NOON } from '../../../support/credit-nodes.ts';

it('one claim that was moved to many keys pushes nobody out of the list who has served', () => {
  const claims = new Claims(new Map([['attacker', { served: 10_000, drawn: 0, moved: 0, trusted: 0 }]]));
  for (let key = 0; key < 300; key++) claims.move('attacker', `key ${key}`, 20);
  claims.earn('small', 1);
  claims.earn('trusted', 2);
  claims.draw('trusted', 2);
  const heard = new HeardVoices(new Voices(claims).at(NOON), NOON);
  expect(['attacker', 'small', 'trusted', 'nobody'].map((id) => heard.has(id))).toEqual([true, true, true, false]);
});
