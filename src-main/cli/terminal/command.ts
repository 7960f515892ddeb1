import type { Command } from 'commander';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { terminalJson } from '../../base/foreign-text.ts';
import { type Config, type ConfigSources, loadConfig } from '../../settings/config.ts';
import { heedInterruptions, isCancellation } from './interruption.ts';
import { type NodeNeeds, type NodeUse, withNode } from './node-client.ts';
import { errorText, type Output, standardOutput } from './output.ts';
import { addSettingOptions, settingFlags } from './setting-options.ts';

/** What every command gets. */
export interface CommandContext {
  config: Config;
  /** What the configuration was loaded from. */
  sources: ConfigSources;
  output: Output;
  /** Aborted by Ctrl+C; a second one ends the process at once. */
  signal: AbortSignal;
  /** Runs `use` against the running node of this data folder, or against one opened for just this command. */
  withNode<T>(needs: NodeNeeds, use: NodeUse<T>): Promise<T>;
}

/** Options that every command takes, beside those that set settings. */
type CommonFlags = { json?: boolean; config?: string };

/**
 * Adds the options that every command takes to the program itself: they may stand before or after the command. Those that set
 * settings override the environment, which overrides the configuration file.
 */
export function addCommonOptions(program: Command): void {
  program
    .option('--json', 'print one JSON document')
    .option('--config <file>', 'configuration file (default: quarry.toml in the data folder)');
  addSettingOptions(program);
}

type Action<Args extends unknown[]> = (context: CommandContext, ...args: Args) => Promise<void>;

/**
 * Wraps a command's body for commander: reads the configuration, runs the body, and turns what it throws into an error
 * on standard error and an exit code: 1, or 130 without a word when Ctrl+C cut it short.
 */
export function runCommand<Args extends unknown[]>(action: Action<Args>): (...args: unknown[]) => Promise<void> {
  return async (...all) => {
    const command = all.pop() as Command;
    const flags = command.optsWithGlobals<CommonFlags>();
    const args = [...all.slice(0, -1), flags] as Args; // `flags` has the command's own options and the common ones
    const output = standardOutput(flags.json ?? false);
    using interruption = heedInterruptions();
    const { signal } = interruption;
    try {
      const sources = { flags: { ...settingFlags(flags), configFile: flags.config }, env: process.env };
      const config = loadConfig(sources);
      await action(
        {
          config,
          sources,
          output,
          signal,
          withNode: (needs, use) => withNode(config, needs, use, signal),
        },
        ...args,
      );
    } catch (error) {
      if (signal.aborted && isCancellation(error)) leave(interruption);
      fail(QuarryError.from(error), output);
      if (signal.aborted) process.exitCode = 130;
    }
  };
}

/** Leaves behind what heeds no signal. Should the system wait for it even so, Ctrl+C ends that. */
function leave(interruption: Disposable): never {
  interruption[Symbol.dispose]();
  process.exit(130);
}

function fail(error: QuarryError, output: Output): void {
  process.exitCode = 1;
  output.note(output.json ? terminalJson({ error }) : errorText(error));
  if (error.code === 'INTERNAL' && process.env.QUARRY_DEBUG) output.note(String(error.cause ?? error.stack));
}
