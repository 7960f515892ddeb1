import type { Command } from 'commander';
import { registerAudits } from './audits.ts';
import { registerBackup } from './backup.ts';
import { registerBench } from './bench.ts';
import { registerAxon } from './bittensor/axon.ts';
import { registerChain } from './bittensor/chain.ts';
import { registerWallet } from './bittensor/wallet.ts';
import { registerBootstrap } from './bootstrap.ts';
import { registerCalibrate } from './calibrate.ts';
import { registerAsk } from './chat/ask.ts';
import { registerChat } from './chat/chat.ts';
import { registerReveal } from './competition/reveal.ts';
import { registerRounds } from './competition/rounds.ts';
import { registerSubmit } from './competition/submit.ts';
import { registerCredits } from './credits.ts';
import { registerData } from './data/data.ts';
import { registerDoctor } from './doctor.ts';
import { registerEvaluate } from './evaluation/evaluate.ts';
import { registerFocus } from './focus/focus.ts';
import { registerHardware } from './hardware.ts';
import { registerKernel } from './kernel/kernel.ts';
import { registerLearn } from './learning/learning.ts';
import { registerLogs } from './logs.ts';
import { registerModels } from './models/models.ts';
import { registerMyNodes } from './my-nodes.ts';
import { registerPs, registerStop } from './node/nodes.ts';
import { registerOpen } from './node/open.ts';
import { registerStart } from './node/start.ts';
import { registerOptimise } from './optimiser/optimise.ts';
import { registerPeers } from './peers.ts';
import { registerSettings } from './settings.ts';
import { registerValidator } from './validator/validator.ts';

/** Every command of `quarry`, in the order in which its help lists them. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  registerStart,
  registerOpen,
  registerPs,
  registerStop,
  registerLogs,
  registerSettings,
  registerAsk,
  registerChat,
  registerModels,
  registerLearn,
  registerPeers,
  registerMyNodes,
  registerCredits,
  registerBackup,
  registerWallet,
  registerAxon,
  registerChain,
  registerValidator,
  registerEvaluate,
  registerKernel,
  registerOptimise,
  registerSubmit,
  registerReveal,
  registerRounds,
  registerAudits,
  registerCalibrate,
  registerFocus,
  registerData,
  registerHardware,
  registerDoctor,
  registerBootstrap,
  registerBench,
];
