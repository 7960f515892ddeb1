/** What main says about: the sandbox for programs of others. */
export const sandbox = {
  'sandbox.notThere': 'The sandbox for programs does not work here: it {{reason}}.',
  'sandbox.slow': 'did not start within a minute',
  'sandbox.closed': 'The sandbox was closed meanwhile.',
  'sandbox.killed': 'was ended: it took too much memory, mostly',
  'sandbox.engine': 'The sandbox for programs does not work here: {{engine}} does not answer ({{words}}).',
  'sandbox.engine.hint': 'Start it, or set `sandbox.engine` to "pyodide".',
  'sandbox.image': 'The image «{{image}}» for programs is not on this machine.',
  'sandbox.image.hint': 'Fetch it: `{{engine}} pull {{image}}`. Quarry fetches none.',
  'sandbox.image.fails': 'No program runs in the image «{{image}}» ({{words}}).',
  'sandbox.image.wanted': 'It must hold `python3`, 3.11 or newer, and `timeout`: name another as `sandbox.image`.',
} as const;
