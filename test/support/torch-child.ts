/** Takes a long step until it is killed, and says which process computes it: `torch-child.ts <python> <work folder>`. */

import { TorchTrainer } from '../../src-main/learning/training/torch/torch-trainer.ts';
import type { TrainingSample } from '../../src-main/learning/training/trainer.ts';
import { settingsOf, trainingFixture } from './training-fixture.ts';

const [python = '', workFolder = ''] = process.argv.slice(2);
const fixture = await trainingFixture('gemma3');
const trainer = new TorchTrainer({ python, workFolder, device: 'cpu', threads: 1 });
await trainer.open({ modelPath: fixture.modelPath, settings: settingsOf(fixture, 'sdpo'), longest: 4_000 });
process.stdout.write(`${trainer.pid}\n`);
const sample: TrainingSample = { ...(fixture.samples[0] as TrainingSample), prompt: Array(3_000).fill(1) };
await trainer.step(Array.from({ length: 64 }, () => sample));
