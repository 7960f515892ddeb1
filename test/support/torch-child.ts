/** Takes a long step until it is killed, and says which process computes it: `torch-child.ts <python> <work folder>`. */

import { TorchTrainer } from '../../src-main/learning/training/torch/torch-trainer.ts';
import type { TrainingSample } from '../../src-main/learning/training/trainer.ts';
import { settingsOf, trainingFixture } from './training-fixture.ts';

const [python = '', workFolder = ''] = process.argv.slice(2);
const fixture = await trainingFixture('gemma3');
const trainer = new TorchTrainer({ python, workFolder, device: 'cpu', threads: 1 });
await trainer.open({ modelPath: fixture.modelPath, settings: settingsOf(fixture, 'sdpo') });
process.stdout.write(`${trainer.pid}\n`);
await trainer.step(Array.from({ length: 2_000 }, () => fixture.samples[0] as TrainingSample));
