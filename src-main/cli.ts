import { Command } from 'commander';
import { installedPath, isCheckout } from './base/installation.ts';
import { version } from './base/version.ts';
import { COMMANDS } from './cli/commands.ts';
import { addExamples } from './cli/examples.ts';
import { pointToHelp } from './cli/help-pointer.ts';
import { addCommonOptions } from './cli/terminal/command.ts';
import { invocationNote } from './cli/terminal/invocation.ts';
import { suggestCommands, suggestSubcommands } from './cli/unknown-command.ts';

// Whoever reads our output may stop reading, as `head` does: then there is nobody left to work for.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const EXAMPLES = `
Examples:
  quarry start                        serve the best model on this machine and earn credits
  quarry start --demo                 a whole mesh on this machine, to see how it works
  quarry ask "What is a mesh?"        ask the mesh
  quarry chat                         talk with a model
  quarry bootstrap --host HOST --port 49737
                                      a meeting point for a private mesh, HOST being this machine's IPv4 address;
                                      then on every node:
  quarry start --bootstrap HOST:49737 --mesh-name ours

Docs: docs/configuration.md, docs/credits.md, docs/protocol.md${isCheckout() ? '' : `, in ${installedPath()}`}`;

const program = new Command('quarry')
  .description('Turn this computer into an AI miner: join a mesh, serve a model, earn credits.')
  .version(version)
  .configureHelp({ sortSubcommands: false })
  .addHelpText('after', [EXAMPLES, invocationNote(EXAMPLES)].filter(Boolean).join('\n\n'));

addCommonOptions(program);
for (const register of COMMANDS) register(program);
addExamples(program);
pointToHelp(program);
suggestCommands(program);
for (const command of program.commands) suggestSubcommands(command);

await program.parseAsync();
