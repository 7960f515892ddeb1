import { expect, it } from 'vitest';
import { passwordFrom, passwordVariable } from '../../../../src-main/bittensor/wallet/password-variable.ts';

// As the official wallet 4.1.1 writes it: `Keyfile.save_password_to_env('thisisafakepassword')`.
const FILE = '/tmp/w.x/main/coldkey';
const NAME = 'BT_PW__TMP_W_X_MAIN_COLDKEY';

it('is named and hidden as the official wallet does', () => {
  expect(passwordVariable(FILE)).toBe(NAME);
  expect(passwordFrom({ [NAME]: 'Njw2Iz4sPjIsOzonPissOi47Kg==' }, FILE)).toBe('thisisafakepassword');
  expect(passwordFrom({}, FILE)).toBeUndefined();
});
