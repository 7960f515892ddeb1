import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../../base/atomic-file.ts';

/** Start on login as Linux desktops know it (XDG autostart): a file says what to start. */
export class Autostart {
  readonly #program: string;
  readonly #folder: string;

  /** @param program the installed program; an AppImage's own path, for the mounted one changes with every start */
  constructor(program: string, env: NodeJS.ProcessEnv = process.env) {
    this.#program = program;
    this.#folder = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart');
  }

  /** Desktops switch such a file off by a line in it. */
  async get(): Promise<boolean> {
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    return text !== undefined && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(text);
  }

  async set(on: boolean): Promise<void> {
    if (!on) return await rm(this.#file, { force: true });
    await mkdir(this.#folder, { recursive: true });
    await writeAtomically(this.#file, entryText(this.#program));
  }

  /** An AppImage has another name after an update. */
  async renew(): Promise<void> {
    if (await this.get()) await this.set(true);
  }

  get #file(): string {
    return join(this.#folder, 'quarry.desktop');
  }
}

function entryText(program: string): string {
  const lines = ['Type=Application', 'Name=Quarry', `Exec=${quoted(program)}`, 'Terminal=false', 'NoDisplay=true'];
  return `[Desktop Entry]\n${lines.join('\n')}\n`;
}

/** Quoted twice, as the specification wants it: for the command line, then for the file. */
function quoted(program: string): string {
  const argument = program.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%');
  return `"${argument.replaceAll('\\', '\\\\')}"`;
}
