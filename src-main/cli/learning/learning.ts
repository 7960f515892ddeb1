import type { Command } from 'commander';
import { registerEval } from './eval.ts';
import { evalMeans } from './eval-means.ts';
import { registerFeedback } from './feedback.ts';
import { registerNow } from './now.ts';
import { registerRuns } from './runs.ts';
import { registerVersionSharing } from './sharing.ts';
import { registerStatus } from './status.ts';
import { registerTorch } from './torch.ts';
import { registerVersions } from './versions.ts';

/** `quarry learn`: the model on this machine gets better from what it is told. */
export function registerLearn(program: Command): void {
  const learn = program.command('learn').description('the model on this machine gets better from what you tell it');
  registerStatus(learn);
  registerNow(learn);
  registerRuns(learn);
  registerFeedback(learn);
  registerVersions(learn);
  registerVersionSharing(learn);
  registerTorch(learn);
  registerEval(learn, evalMeans);
}
