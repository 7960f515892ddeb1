import { expect, it } from 'vitest';
import { checkOtherPrograms } from '../../../../src-main/hardware/doctor/doctor.ts';
import { readNotTaken } from '../../../../src-main/settings/config.ts';

it('what btcli has set and Quarry does not know is told, with what to do', () => {
  const notTaken = readNotTaken({ env: { BT_SUBTENSOR_NETWORK: 'dev' }, readFile: () => undefined });
  expect(checkOtherPrograms(notTaken)).toMatchObject({
    name: 'other programs',
    status: 'warn',
    found: 'BT_SUBTENSOR_NETWORK names the network «dev», which Quarry does not know. It is left out.',
    advice: expect.stringContaining('bittensor.endpoint'),
    said: { found: { key: 'doctor.notTaken' }, advice: { key: 'bittensor.chain.ownEndpoint' } },
  });
});
