import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { constants, createContext, Script, SourceTextModule } from 'node:vm';
import { MOST_OUTPUT } from './most-output.ts';
import { PRELUDE } from './python-prelude.ts';

export interface PythonRealmOptions {
  /** Where Pyodide's files lie. */
  folder: string;
  /** A file with the memory of an interpreter that has started. Without one it takes seconds. */
  snapshot?: string | undefined;
  /** It is there to become a snapshot, and runs no program. Default false. */
  makesSnapshot?: boolean;
}

/** What its JavaScript gives to ours: functions of that realm, which take and return nothing but texts, numbers and bytes. */
interface Inside {
  room: (name: string, bytes: number) => Uint8Array;
  start: (loadPyodide: unknown, create: unknown, info: string, prelude: string, makes: boolean) => Promise<void>;
  run: (program: string, stdin: string) => unknown;
  snapshot: () => Uint8Array;
}

/**
 * CPython (Pyodide) in a realm of JavaScript of its own that has no Node in it: no `process`, no `require`, no timers, no network, and prototypes of its own. Python reaches
 * the JavaScript around it by many ways; there, it finds the language alone. Nothing but texts, numbers and bytes passes between that realm and ours, in
 * either direction: an object or a function of ours would lead to all the others.
 */
export class PythonRealm {
  readonly #inside: Inside;

  private constructor(inside: Inside) {
    this.#inside = inside;
  }

  static async open({ folder, snapshot, makesSnapshot = false }: PythonRealmOptions): Promise<PythonRealm> {
    const context = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: true } });
    const inside = new Script(INSIDE, { filename: 'inside.js' }).runInContext(context)(
      () => performance.now(),
      (bytes: number) => randomBytes(Math.min(Number(bytes), MOST_RANDOM)).toString('base64'),
      (bytes: Uint8Array, encoding: string, fatal: boolean, ignoreBOM: boolean) =>
        new TextDecoder(encoding, { fatal, ignoreBOM }).decode(bytes),
      (text: string) => Buffer.from(text, 'utf8').toString('latin1'),
      MOST_OUTPUT,
    ) as Inside;
    for (const name of ['pyodide.asm.wasm', 'python_stdlib.zip']) bring(inside, name, join(folder, name));
    if (snapshot) bring(inside, 'snapshot', snapshot);
    const { loadPyodide } = await moduleOf(join(folder, 'pyodide.mjs'), context);
    const { default: create } = await moduleOf(join(folder, 'pyodide.asm.mjs'), context);
    const { info } = JSON.parse(readFileSync(join(folder, 'pyodide-lock.json'), 'utf8'));
    await inside.start(loadPyodide, create, JSON.stringify({ info, packages: {} }), PRELUDE, makesSnapshot);
    return new PythonRealm(inside);
  }

  /** @returns a JSON text, or whatever else a program makes of it */
  run(program: string, stdin: string): unknown {
    return this.#inside.run(program, stdin);
  }

  /** Its memory, for others to begin with. Only of one that was opened for that. */
  snapshot(): Uint8Array {
    return this.#inside.snapshot();
  }
}

/** Bytes that a program is given at once; those who want more ask again. */
const MOST_RANDOM = 65_536;

/** Reads a file into the realm's own memory. */
function bring(inside: Inside, name: string, path: string): void {
  const file = openSync(path, 'r');
  try {
    const room = inside.room(name, fstatSync(file).size);
    for (let at = 0; at < room.length; ) {
      const read = readSync(file, room, at, room.length - at, at);
      if (read === 0) throw new Error(`${name} is shorter than it was`);
      at += read;
    }
  } finally {
    closeSync(file);
  }
}

async function moduleOf(path: string, context: object): Promise<Record<string, unknown>> {
  const module = new SourceTextModule(readFileSync(path, 'utf8'), {
    context,
    identifier: basename(path), // a program may read it in a traceback
    initializeImportMeta: (meta) => {
      meta.url = 'file:///pyodide.mjs';
    },
  });
  await module.link(() => {
    throw new Error('it imports nothing');
  });
  await module.evaluate();
  return module.namespace as Record<string, unknown>;
}

/**
 * JavaScript of the realm, as text: what is made by it belongs there. To Pyodide it looks like a shell of V8, which has `read`, `load` and `os`. Our functions are called here and handed to
 * nobody; what they throw would be an object of ours, and goes no further.
 */
const INSIDE = `'use strict';
((now, random, decode, encode, most) => {
  const { isView } = ArrayBuffer;
  const files = new Map();
  const nothing = () => undefined;
  const refused = () => { throw new Error('there is nothing here'); };
  const asked = (ask) => {
    try {
      return ask();
    } catch {
      throw new TypeError('that cannot be had');
    }
  };

  class Decoder {
    #encoding; #fatal; #ignoreBOM;
    constructor(encoding = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      this.#encoding = \`\${encoding}\`;
      this.#fatal = !!fatal;
      this.#ignoreBOM = !!ignoreBOM;
    }
    decode(bytes = new Uint8Array(0)) {
      const view = isView(bytes) ? bytes : new Uint8Array(bytes);
      return asked(() => decode(view, this.#encoding, this.#fatal, this.#ignoreBOM));
    }
  }

  function bytesOf(text) {
    const coded = asked(() => encode(\`\${text}\`));
    const bytes = new Uint8Array(coded.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = coded.charCodeAt(at);
    return bytes;
  }

  class Encoder {
    encode(text = '') {
      return bytesOf(text);
    }
    encodeInto(text, into) {
      const bytes = bytesOf(text);
      into.set(bytes);
      return { read: text.length, written: bytes.length };
    }
  }

  Object.assign(globalThis, {
    read: refused,
    load: refused,
    readbuffer: (path) => files.get(path.slice(path.lastIndexOf('/') + 1)),
    os: { system: (shell, [, command]) => asked(() => random(+/[0-9]+/.exec(command)[0])) },
    performance: { now: () => asked(now) },
    console: { log: nothing, info: nothing, debug: nothing, warn: nothing, error: nothing },
    setTimeout: () => 0,
    clearTimeout: nothing,
    TextDecoder: Decoder,
    TextEncoder: Encoder,
  });

  /** The beginning of a stream. */
  class Kept {
    pieces = [];
    bytes = 0;
    truncated = false;
    add(bytes) {
      const room = most - this.bytes;
      this.truncated ||= bytes.length > room;
      if (room > 0) this.pieces.push(bytes.slice(0, room));
      this.bytes += Math.min(bytes.length, room);
      return bytes.length;
    }
    get text() {
      const all = new Uint8Array(this.bytes);
      let at = 0;
      for (const piece of this.pieces) {
        all.set(piece, at);
        at += piece.length;
      }
      return asked(() => decode(all, 'utf-8', false, true));
    }
  }

  let python, runner;
  let given = new Uint8Array(0);
  let at = 0;
  let [out, err] = [new Kept(), new Kept()];

  return {
    room(name, bytes) {
      const room = new Uint8Array(bytes);
      files.set(name, room);
      return room;
    },

    async start(loadPyodide, createPyodideModule, lockFileContents, prelude, makes) {
      const snapshot = files.get('snapshot');
      python = await loadPyodide({
        indexURL: '/',
        packageBaseUrl: '/',
        createPyodideModule,
        lockFileContents,
        jsglobals: Object.create(null),
        env: { HOME: '/home/program', PYTHONHASHSEED: '0' },
        ...(makes && { _makeSnapshot: true }),
        ...(snapshot && { _loadSnapshot: snapshot }),
      });
      files.clear();
      if (!snapshot) python.runPython(prelude);
      if (makes) return;
      python.setStdin({
        read(into) {
          const piece = given.subarray(at, at + into.length);
          into.set(piece);
          at += piece.length;
          return piece.length;
        },
      });
      python.setStdout({ write: (bytes) => out.add(bytes) });
      python.setStderr({ write: (bytes) => err.add(bytes) });
      runner = python.runPython('_runner()');
    },

    run(program, stdin) {
      [given, at, out, err] = [bytesOf(stdin), 0, new Kept(), new Kept()];
      let spent = true;
      try {
        spent = runner(program) !== true;
      } catch (error) {
        if (error?.status !== 0) err.add(bytesOf(error)); // Python itself has ended: its last words
      }
      return JSON.stringify({ stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated, spent });
    },

    snapshot: () => python.makeMemorySnapshot(),
  };
})`;
