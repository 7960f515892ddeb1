import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import envPaths from 'env-paths';
import { ignoring } from '../../base/swallowed.ts';

/** The package of Python that is Bittensor's own software. */
export const SDK = { name: 'bittensor', version: '10.5.0' };

const SYSTEM_PYTHON = process.platform === 'win32' ? 'python' : 'python3';
/** Milliseconds: it is a hundred packages. */
const INSTALL_MS = 15 * 60_000;
const START_MS = 120_000;

/** A Python with the SDK: see {@link pythonWith}. */
export const findSdk = (): Promise<string | undefined> => pythonWith([SDK]);

/**
 * A Python with packages, in a virtual environment that is made once and kept among the user's caches (`QUARRY_TEST_PYTHON` names another
 * folder). It is there whole or not at all, also where several make it at once.
 * @returns the program; undefined where there is no Python, or no way to the packages
 */
export async function pythonWith(packages: readonly (typeof SDK)[]): Promise<string | undefined> {
  const root = process.env.QUARRY_TEST_PYTHON || envPaths('quarry-test-python', { suffix: '' }).cache;
  const folder = join(root, packages.map(({ name, version }) => `${name}-${version}`).join('+'));
  const exists = (path: string) => access(path).then(() => true, ignoring('it is made then'));
  if (await exists(folder)) return pythonIn(folder);
  await mkdir(root, { recursive: true });
  const fresh = await mkdtemp(join(root, 'making-'));
  try {
    await install(fresh, packages);
    await rename(fresh, folder);
  } catch {
    await rm(fresh, { recursive: true, force: true });
    if (!(await exists(folder))) return undefined; // else another was first
  }
  return pythonIn(folder);
}

const pythonIn = (folder: string) =>
  process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');

async function install(folder: string, packages: readonly (typeof SDK)[]): Promise<void> {
  const run = promisify(execFile);
  await run(SYSTEM_PYTHON, ['-m', 'venv', folder], { timeout: INSTALL_MS });
  const wanted = packages.map(({ name, version }) => `${name}==${version}`);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted];
  await run(pythonIn(folder), pip, { timeout: INSTALL_MS });
}

/** Synapses that both sides have: Echo says a text louder, Words word by word, the Promptings are as docs/axon.md shows them. Keys are those of development, `//Name`. */
const SYNAPSES = `
import sys, json, time, asyncio, socket
from typing import Optional
from bittensor_wallet import Keypair
from bittensor.core import dendrite as dendrites
from bittensor.core.synapse import Synapse
from bittensor.core.stream import StreamingSynapse

dendrites.networking.get_external_ip = lambda: "203.0.113.9"

class Echo(Synapse):
    prompt: str
    said: str = ""
    required_hash_fields = ("prompt",)

class Words(StreamingSynapse):
    prompt: str
    text: str = ""
    required_hash_fields = ("prompt",)
    async def process_streaming_response(self, response):
        if response.status != 200:
            return
        async for chunk in response.content.iter_any():
            self.text += chunk.decode()
            yield chunk.decode()
    def deserialize(self):
        return self
    def extract_response_json(self, response):
        return {"prompt": self.prompt, "text": self.text}

class Prompting(Synapse):
    roles: list[str]
    messages: list[str]
    completion: str = ""
    model: str = ""
    max_tokens: int = 0
    temperature: Optional[float] = None
    finish_reason: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    required_hash_fields = ("roles", "messages")

class StreamPrompting(StreamingSynapse):
    roles: list[str]
    messages: list[str]
    max_tokens: int = 0
    temperature: Optional[float] = None
    completion: str = ""
    required_hash_fields = ("roles", "messages")
    async def process_streaming_response(self, response):
        if response.status != 200:
            return
        async for chunk in response.content.iter_any():
            self.completion += chunk.decode()
            yield chunk.decode()
    def deserialize(self):
        return self
    def extract_response_json(self, response):
        return {"roles": self.roles, "messages": self.messages, "completion": self.completion}
`;

const AXON = `${SYNAPSES}
from bittensor.core.axon import Axon

class Keys:
    hotkey = Keypair.create_from_uri("//Axon")
    coldkeypub = hotkey

def echo(synapse: Echo) -> Echo:
    synapse.said = synapse.prompt.upper()
    return synapse

def words(synapse: Words) -> StreamingSynapse.BTStreamingResponse:
    async def stream(send):
        for word in synapse.prompt.split(" "):
            await send({"type": "http.response.body", "body": (word + " ").encode(), "more_body": True})
    return synapse.create_streaming_response(stream)

axon = Axon(wallet=Keys(), port=int(sys.argv[1]), ip="127.0.0.1", external_ip="203.0.113.9")
axon.attach(forward_fn=echo).attach(forward_fn=words)
axon.start()
while True:  # it says that it has started before it listens
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1).close()
        break
    except OSError:
        time.sleep(0.05)
print("ready", flush=True)
sys.stdin.read()
`;

const DENDRITE = `${SYNAPSES}
from bittensor.core.chain_data import AxonInfo

class Forged:
    """Signs with another key than it says."""
    def __init__(self, pair, other):
        self.ss58_address, self.sign = pair.ss58_address, other.sign

async def ask(call):
    pair = Keypair.create_from_uri(call["uri"])
    key = Forged(pair, Keypair.create_from_uri("//Mallory")) if call.get("forged") else pair
    dendrite = dendrites.Dendrite(wallet=key)
    axon = AxonInfo(version=0, ip="127.0.0.1", port=int(sys.argv[1]), ip_type=4, hotkey=sys.argv[2], coldkey=sys.argv[2])
    kind = {"Echo": Echo, "Words": Words, "Synapse": Synapse, "Prompting": Prompting, "StreamPrompting": StreamPrompting}[call["name"]]
    said = dict(roles=["user"], messages=[call["prompt"]], max_tokens=8, temperature=0.0)
    synapse = Synapse() if kind is Synapse else kind(prompt=call["prompt"]) if kind in (Echo, Words) else kind(**said)
    options = dict(timeout=call.get("timeout", 12.0), deserialize=False)
    chunks = []
    if issubclass(kind, StreamingSynapse):
        async for chunk in dendrite.call_stream(axon, synapse, **options):
            chunks.append(chunk)
        synapse = chunks.pop()
    else:
        synapse = await dendrite.call(axon, synapse, **options)
    await dendrite.aclose_session()
    return {"status": int(synapse.dendrite.status_code or 0), "message": synapse.dendrite.status_message,
            "success": synapse.is_success, "said": getattr(synapse, "said", getattr(synapse, "completion", None)), "chunks": chunks,
            "tokens": getattr(synapse, "completion_tokens", None), "model": getattr(synapse, "model", None)}

async def all_of(calls):
    return [await ask(call) for call in calls]

print(json.dumps(asyncio.run(all_of(json.loads(sys.argv[3])))))
`;

/** The SDK's axon of `//Axon` on this machine, in a process of its own. A resource. */
export class OfficialAxon {
  readonly #python: string;
  #child: ChildProcess | undefined;

  constructor(python: string) {
    this.#python = python;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** @throws Error when it does not come up */
  async open(port: number): Promise<void> {
    const child = spawn(this.#python, ['-u', '-c', AXON, String(port)], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child = child;
    const signal = AbortSignal.timeout(START_MS);
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([once(lines, 'line', { signal }), once(child, 'exit', { signal })]);
    if (line !== 'ready') throw new Error('The official axon did not start.');
  }

  /** Idempotent. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

/** A call of the SDK's dendrite. */
export interface OfficialCall {
  /** A key of development. */
  uri: string;
  /** The two Promptings ask for 8 tokens of a model. */
  name: 'Echo' | 'Words' | 'Synapse' | 'Prompting' | 'StreamPrompting';
  prompt: string;
  /** Seconds. Default 12. */
  timeout?: number;
  /** Signed by another key. */
  forged?: boolean;
}

export interface OfficialAnswer {
  status: number;
  message: string | null;
  success: boolean;
  said: string | null;
  chunks: string[];
  tokens: number | null;
  model: string | null;
}

/** Asks an axon of this machine with the SDK's dendrite, one call after the other. */
export async function askOfficially(
  python: string,
  { port, hotkey }: { port: number; hotkey: string },
  calls: OfficialCall[],
): Promise<OfficialAnswer[]> {
  const args = ['-c', DENDRITE, String(port), hotkey, JSON.stringify(calls)];
  const { stdout } = await promisify(execFile)(python, args, { timeout: START_MS });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}
