import type { CommandContext } from '../../src-main/cli/terminal/command.ts';
import type { NodeClient } from '../../src-main/cli/terminal/node-client.ts';

/** What a command wrote, and what it wanted of nodes. */
export interface Commanded {
  lines: string[];
  documents: unknown[];
  /** What each node was wanted for that it opened or found. */
  needs: object[];
  context: CommandContext;
}

/** For the body of a command: a node out of a script. @param nodeRuns it ran before */
export function commandContext(node: object, nodeRuns = false): Commanded {
  const [lines, documents, needs]: [string[], unknown[], object[]] = [[], [], []];
  const output = {
    json: true,
    line: (text = '') => void lines.push(text),
    note: (text: string) => void lines.push(text),
    document: (value: unknown) => void documents.push(value),
    write: () => undefined,
  };
  const withNode = async (wanted: object, use: (node: NodeClient, runs: boolean) => Promise<unknown>) => {
    needs.push(wanted);
    return await use(node as NodeClient, nodeRuns);
  };
  const context = { output, withNode, signal: new AbortController().signal } as unknown as CommandContext;
  return { lines, documents, needs, context };
}
