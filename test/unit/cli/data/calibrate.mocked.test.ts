import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { registerCalibrateClips } from '../../../../src-main/cli/data/calibrate.ts';
import type { CommandContext } from '../../../../src-main/cli/terminal/command.ts';
import type { CalibrationStep, MeasuredModel } from '../../../../src-preload/contract/data-calibration.ts';
import { commandContext } from '../../../support/command-context.ts';

const commands = vi.hoisted(() => ({ context: undefined as unknown }));
vi.mock('../../../../src-main/cli/terminal/command.ts', () => ({
  runCommand: (run: (context: CommandContext, ...args: unknown[]) => Promise<void>) => {
    return (...args: unknown[]) => run(commands.context as CommandContext, ...args);
  },
}));
afterEach(() => {
  commands.context = undefined;
  process.exitCode = undefined;
});

/** What the command writes, to a node that tells these steps. */
async function typed(steps: readonly CalibrationStep[], known: object[] = [], signal = new AbortController().signal) {
  const calibrate = async () =>
    (async function* () {
      yield* steps;
    })();
  const commanded = commandContext({ data: { calibrate, thresholds: async () => known } });
  commands.context = { ...commanded.context, signal };
  const program = new Command('calibrate');
  registerCalibrateClips(program);
  await program.parseAsync(['clips'], { from: 'user' });
  return commanded;
}

const pictures: MeasuredModel = {
  ...{ kind: 'pictures', name: 'siglip2-base', clips: 80, reason: null },
  thresholds: { same: 0.93, novel: 0.1, unrelated: 0.05, closest: 0.2 },
};
const sounds: MeasuredModel = {
  ...{ kind: 'sounds', name: 'clap-htsat', clips: 12, thresholds: null },
  reason: { text: 'Only 12 clips have sound.' },
};

it('says what was measured, and why something was not', async () => {
  const steps: CalibrationStep[] = [
    { type: 'progress', done: 0, of: 80, secondsLeft: null },
    { type: 'progress', done: 40, of: 80, secondsLeft: 90 },
    { type: 'done', models: [pictures, sounds] },
  ];
  const { lines, documents } = await typed(steps, [{ thresholds: {} }, { thresholds: null }]);
  expect(documents).toEqual([[pictures, sounds]]);
  const text = lines.join('\n');
  expect(text).toMatch(
    /MODEL +CLIPS +SAME +KNOWN +UNRELATED +CLOSEST\n\s*siglip2-base +80 +0\.930 +0\.900 +0\.050 +0\.200/,
  );
  expect(text).toContain('clap-htsat: Only 12 clips have sound.');
  expect(text).toContain('clips are scored once all are measured.');
  expect(text).not.toContain('scored anew');
  expect(process.exitCode).toBeUndefined();
});

it('says that clips are scored anew where nothing is left to be measured', async () => {
  const { lines } = await typed([{ type: 'done', models: [pictures] }], [{ thresholds: {} }]);
  expect(lines).toContain('Clips are scored anew by it, while a node runs.');
});

it('fails where nothing was measured', async () => {
  const { lines } = await typed([{ type: 'done', models: [sounds] }]);
  expect(lines).toEqual(['clap-htsat: Only 12 clips have sound.']);
  expect(process.exitCode).toBe(1);
});

it('says that it was ended', async () => {
  await expect(typed([{ type: 'progress', done: 0, of: 80, secondsLeft: null }])).rejects.toMatchObject({
    code: 'CANCELLED',
  });
});
