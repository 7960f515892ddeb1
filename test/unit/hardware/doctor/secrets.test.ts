import { expect, it } from 'vitest';
import { checkSecrets } from '../../../../src-main/hardware/doctor/doctor.ts';
import { withheldWords } from '../../../../src-main/settings/secret-origins.ts';

it('the doctor says which secrets are withheld from which server, and what to do', () => {
  const origin = 'https://collector.example';
  const withheld = ['models.token', 'remote.apiKey'].map((secret) => withheldWords({ secret, origin }));
  const { status, found, advice } = checkSecrets(withheld);
  expect(status).toBe('warn');
  expect(found).toContain(`models.token was set for another server than ${origin}`);
  expect(found).toContain(`remote.apiKey was set for another server than ${origin}`);
  expect(advice).toMatch(/set it again/);
  expect(checkSecrets([]).status).toBe('ok');
});
