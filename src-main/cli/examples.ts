import type { Command } from 'commander';

/** What people type, by command, without `quarry`: the end of its help. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  start: ['start', 'start --headless --port 8080', 'start --model qwen3-4b', 'start --role client', 'start --demo'],
  open: ['open', 'open --data ./node-1'],
  ps: ['ps', 'ps --json'],
  stop: ['stop', 'stop --data ./node-1'],
  logs: ['logs -f', 'logs --lines 200 --level warn', 'logs --json'],
  ask: [
    'ask "What is a mesh?"',
    'ask --local --model qwen3-4b "Translate: good morning"',
    'ask - < question.txt',
    'ask --json --temperature 0 "Name a colour"',
  ],
  chat: ['chat', 'chat --local', 'chat qwen3-4b --system "Answer in one sentence."', 'chat --json < questions.txt'],
  models: ['models', 'models recommend', 'models pull qwen3-4b', 'models show qwen3-4b'],
  'models list': ['models list', 'models list --json'],
  'models show': ['models show qwen3-4b', 'models show tiny --json'],
  'models catalogue': ['models catalogue', 'models catalogue --context 32768'],
  'models recommend': ['models recommend', 'models recommend --use code --context 16384'],
  'models pull': ['models pull qwen3-4b', 'models pull qwen3-4b --from http --limit 2000'],
  'models add': ['models add https://huggingface.co/OWNER/NAME/resolve/main/FILE.gguf --name mine'],
  'models downloads': ['models downloads'],
  'models pause': ['models pause qwen3-4b'],
  'models resume': ['models resume qwen3-4b'],
  'models cancel': ['models cancel qwen3-4b'],
  'models import': ['models import ./model.gguf', 'models import ./model.gguf --name mine'],
  'models verify': ['models verify', 'models verify qwen3-4b'],
  'models remove': ['models remove qwen3-4b'],
  'models disk': ['models disk'],
  'models move': ['models move /mnt/models'],
  'models share': ['models share qwen3-4b'],
  'models unshare': ['models unshare qwen3-4b'],
  'models seed': ['models seed'],
  'models offers': ['models offers', 'models offers --wait 30'],
  peers: ['peers', 'peers --wait 20'],
  credits: ['credits', 'credits history --since 7d', 'credits verify'],
  'credits show': ['credits show', 'credits show --json'],
  'credits trusted': ['credits trusted --limit 50'],
  'credits owed': ['credits owed'],
  'credits history': [
    'credits history --limit 100',
    'credits history --kind earn --since 2026-11-01',
    'credits history --csv > ledger.csv',
  ],
  'credits verify': ['credits verify', 'credits verify --full'],
  'credits rebuild': ['credits rebuild'],
  hardware: ['hardware', 'hardware --json'],
  doctor: ['doctor', 'doctor --json'],
  bootstrap: ['bootstrap --host 192.168.1.20 --port 49737'],
  bench: ['bench inference --llama-server ./llama-server', 'bench swarm --workers 200'],
};

/** Ends the help of every command with what people type. */
export function addExamples(command: Command, above: readonly string[] = []): void {
  for (const one of command.commands) {
    const path = [...above, one.name()];
    const lines = EXAMPLES[path.join(' ')];
    if (lines) one.addHelpText('after', `\nExamples:\n${lines.map((line) => `  quarry ${line}`).join('\n')}`);
    addExamples(one, path);
  }
}
