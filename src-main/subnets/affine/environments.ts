import type { ProgramSandbox } from '../../sandbox/program-sandbox.ts';
import type { Environment } from '../../validation/environment.ts';
import { abd } from './abd/abd.ts';
import { ded } from './ded/ded.ts';
import { elr } from './elr/elr.ts';
import { hvm } from './hvm/hvm.ts';
import { sat } from './sat/sat.ts';

/** What miners of Affine are asked, by name. @param sandbox for programs */
export function affineEnvironments(sandbox: Pick<ProgramSandbox, 'run'>): ReadonlyMap<string, Environment> {
  const all = [sat, abd(sandbox), ded(sandbox), elr, hvm];
  return new Map(all.map((environment) => [environment.name, environment as Environment]));
}
