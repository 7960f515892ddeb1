import { expect, it } from 'vitest';
import { checkAxon } from '../../../../src-main/hardware/doctor/axon.ts';

const reach = { status: 'ok' as const, found: 'Others reach the axon at 203.0.113.9:8091.' };

it('whether others reach the axon is a check, as it was found', () => {
  expect(checkAxon({ reach })).toEqual({ name: 'axon', ...reach });
});

it('an axon that could not be opened fails with its reason, and with what to do', () => {
  const error = { code: 'CONFIG_INVALID' as const, message: 'No hotkey is set.', hint: 'Set axon.wallet first.' };
  expect(checkAxon({ reach, error })).toEqual({
    ...{ name: 'axon', status: 'fail' },
    ...{ found: 'No hotkey is set.', advice: 'Set axon.wallet first.' },
  });
});
