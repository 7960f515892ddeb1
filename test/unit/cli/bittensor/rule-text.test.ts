import { expect, it } from 'vitest';
import { ruleText } from '../../../../src-main/cli/bittensor/rule-text.ts';

it.each([
  ['tempo', '360', '360 blocks, about 1.2 h'],
  ['servingRateLimit', '1', '1 block, about 12.0 s'],
  ['immunityPeriod', '20000', '20,000 blocks, about 2 days'],
  ['maxUids', '256', '256 neurons'],
  ['revealPeriodEpochs', '1', '1 epoch'],
  ['maxWeightLimit', '65535', '100 %'],
  ['maxWeightLimit', '455', '0.7 %'],
  ['registrationCost', '500000', '0.0005 TAO'],
  ['maxRegistrationCost', '18446744073709551615', '18446744073.709551615 TAO'],
  ['commitReveal', 'true', 'yes'],
  ['commitRevealVersion', '4', '4'],
  ['ofANewerNode', '12', '12'],
])('%s %s is %s', (name, value, text) => {
  expect(ruleText(name, value)).toBe(text);
});
