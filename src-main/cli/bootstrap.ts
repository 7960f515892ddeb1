import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { DEFAULT_BOOTSTRAP_PORT } from '../mesh/transport/address.ts';
import { ipv4 } from './terminal/arguments.ts';
import { type CommandContext, runCommand } from './terminal/command.ts';

/** `quarry bootstrap`: a meeting point for a mesh of one's own. */
export function registerBootstrap(program: Command): void {
  program
    .command('bootstrap')
    .description(
      `run a DHT bootstrap node for a private, LAN or offline mesh (UDP, --port, default ${DEFAULT_BOOTSTRAP_PORT})`,
    )
    .addOption(
      new Option('--host <ipv4>', 'address at which other machines reach this one')
        .argParser(ipv4)
        .default('127.0.0.1'),
    )
    .action(runCommand((context, flags: { host: string; port?: number }) => bootstrap(context, flags)));
}

async function bootstrap({ output, signal }: CommandContext, flags: { host: string; port?: number }): Promise<void> {
  const { BootstrapNode } = await import('../mesh/transport/bootstrap.ts');
  const node = new BootstrapNode(flags);
  await node.open();
  try {
    const address = `${node.address.host}:${node.address.port}`;
    output.document({ address });
    output.line(`Bootstrap node on ${address} (UDP). On every node of your mesh:`);
    output.line(`  quarry start --mesh-name ours --bootstrap ${address}`);
    output.line(
      'Among friends, set QUARRY_MESH_SECRET to a sentence that only they know, and add `--credits-rule witnessed`: then everyone serves everyone without limit.',
    );
    output.line('Ctrl+C ends it; nodes that already know each other stay connected.');
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await node.close();
  }
}
