import type { Command } from 'commander';
import { registerAsk } from './ask.ts';
import { registerBench } from './bench.ts';
import { registerBootstrap } from './bootstrap.ts';
import { registerChat } from './chat.ts';
import { registerCredits } from './credits.ts';
import { registerDoctor } from './doctor.ts';
import { registerHardware } from './hardware.ts';
import { registerLogs } from './logs.ts';
import { registerModels } from './models.ts';
import { registerPs, registerStop } from './nodes.ts';
import { registerOpen } from './open.ts';
import { registerPeers } from './peers.ts';
import { registerStart } from './start.ts';

/** Every command of `quarry`, in the order in which its help lists them. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  registerStart,
  registerOpen,
  registerPs,
  registerStop,
  registerLogs,
  registerAsk,
  registerChat,
  registerModels,
  registerPeers,
  registerCredits,
  registerHardware,
  registerDoctor,
  registerBootstrap,
  registerBench,
];
