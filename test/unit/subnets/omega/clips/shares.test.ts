import { expect, it } from 'vitest';
import type { CheckingPorts } from '../../../../../src-main/subnets/omega/clips/checking/checking-ports.ts';
import { soundsEnvironment } from '../../../../../src-main/subnets/omega/clips/checking/sounds-environment.ts';
import { videosEnvironment } from '../../../../../src-main/subnets/omega/clips/checking/videos-environment.ts';
import { sharesOf } from '../../../../../src-main/validation/scoring/presets.ts';

it('gives all to the environments of clips and sounds: no other name has a share, and theirs are those that it knows', () => {
  const unused = {} as CheckingPorts; // nothing is asked of them
  const [videos, sounds] = [videosEnvironment(unused).name, soundsEnvironment(unused).name];
  expect(sharesOf(0.25)).toEqual({ [videos]: 0.75, [sounds]: 0.25 });
});
