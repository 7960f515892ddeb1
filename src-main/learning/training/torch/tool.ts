import { spawn } from 'node:child_process';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { foreignLine } from '../../../base/foreign-text.ts';
import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../../process/child-environment.ts';
import { endTree, OWN_GROUP, watchTree } from '../../../process/process-tree.ts';

/** What uv and pip are told by who runs this computer: which index, by which way, with which certificates. */
const ENVIRONMENT = [
  ...BASIC_ENVIRONMENT,
  ...[
    'UV_INDEX',
    'UV_DEFAULT_INDEX',
    'UV_INDEX_URL',
    'UV_EXTRA_INDEX_URL',
    'UV_FIND_LINKS',
    'UV_CONFIG_FILE',
    'UV_OFFLINE',
  ],
  ...['UV_NATIVE_TLS', 'UV_SYSTEM_CERTS', 'UV_HTTP_TIMEOUT', 'UV_KEYRING_PROVIDER'],
  ...['UV_PYTHON_DOWNLOADS', 'UV_PYTHON_INSTALL_MIRROR'],
  ...['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'PIP_FIND_LINKS', 'PIP_NO_INDEX', 'PIP_CONFIG_FILE', 'PIP_TRUSTED_HOST'],
  ...['PIP_CERT', 'PIP_PROXY', 'PIP_DEFAULT_TIMEOUT', 'PIP_RETRIES'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['XDG_CONFIG_HOME', 'XDG_CONFIG_DIRS', 'PYENV_ROOT', 'PYENV_VERSION'],
];
const KEPT = 4_000;

export interface ToolRun {
  /** Null where it could not be started. */
  code: number | null;
  /** The end of each. */
  stdout: string;
  stderr: string;
}

/**
 * Runs uv, pip or Python to the end; they and what they start end with this process.
 * @param more of the environment, beside what is passed on
 * @throws the signal's reason
 */
export async function runTool(
  program: string,
  args: readonly string[],
  { signal, more = {} }: { signal?: AbortSignal | undefined; more?: Readonly<Record<string, string>> } = {},
): Promise<ToolRun> {
  signal?.throwIfAborted();
  const env = { ...allowedEnvironment(ENVIRONMENT), ...more };
  const child = spawn(program, args, { env, ...OWN_GROUP, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  watchTree(child);
  const kept = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      kept[stream] = (kept[stream] + text).slice(-KEPT);
    });
  }
  const ended = Promise.withResolvers<number | null>();
  child.once('error', () => ended.resolve(null));
  child.once('close', (code) => ended.resolve(code ?? -1));
  const abort = () => ended.reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    return { code: await ended.promise, ...kept };
  } finally {
    signal?.removeEventListener('abort', abort);
    endTree(child);
  }
}

/** The same, where it has to come to a good end. @throws DOWNLOAD_FAILED with the tool's last words */
export async function runToEnd(...[program, args, options]: Parameters<typeof runTool>): Promise<string> {
  const { code, stdout, stderr } = await runTool(program, args, options);
  if (code === 0) return stdout;
  throw new QuarryError({
    code: 'DOWNLOAD_FAILED',
    message: say('torch.toolFailed', { tool: foreignLine(program), words: lastWords(stderr || stdout) }),
    hint: say('torch.again'),
    retryable: true,
  });
}

/** Without a name and a password that an index's address may hold. */
function lastWords(text: string): string {
  const lines = text.trim().split('\n');
  const line = lines.findLast((each) => /error|failed|no matching/i.test(each)) ?? lines.at(-1) ?? '';
  return foreignLine(line)
    .replace(/\/\/[^/@\s]*@/g, '//')
    .slice(0, 300);
}
