import { Command } from 'commander';
import { expect, it } from 'vitest';
import { registerSigner } from '../../../src-main/cli/bittensor/signer.ts';

it('where a signer is found unless told otherwise is said once, as it is typed', () => {
  const validator = new Command('validator');
  registerSigner(validator);
  const help = validator.commands[0]!.helpInformation().replace(/\s+/g, ' ');
  expect(help).toContain('where callers find it (default: 127.0.0.1:8092)');
  expect(help.match(/8092/g)).toHaveLength(1);
  expect(help).not.toContain('{"host"');
});
