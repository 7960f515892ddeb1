import { type Saying, say } from '../../../../src-preload/contract/saying.ts';
import {
  ARENA_PAGES,
  MAX_BODY_BYTES,
  MAX_FUNCTIONS,
  MAX_LOCALS,
  MAX_PAGES,
  MAX_TABLE,
  MODULE_BYTES,
} from './limits.ts';
import type { KernelFault, KernelRefusal } from './verdict.ts';
import { NoModule, WasmReader } from './wasm-reader.ts';

/** `\0asm` and version 1. */
const HEAD = Buffer.from('0061736d01000000', 'hex');
/** Sections by their numbers (core specification 2.0, 5.5.2), and the order in which they stand; the own ones (0) may stand anywhere, others nowhere. */
const [OWN, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, COUNT, CODE, DATA] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11,
];
const ORDER = [TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, COUNT, CODE, DATA];
/** A type of functions; all others are of WebAssembly’s garbage-collected objects. */
const FUNCTION_TYPE = 0x60;
/** Flags of limits: a maximum is there; shared between threads; addresses of 64 bits. */
const [HAS_MAXIMUM, SHARED, WIDE] = [1, 2, 4];

class Refused extends Error {
  readonly refusal: KernelRefusal;

  constructor(fault: KernelFault, reason: Saying) {
    super(fault);
    this.refusal = { right: false, fault, reason };
  }
}

/**
 * Looks through a module before anything compiles it, in time that its size bounds: what it declares has to be what docs/kernels.md allows. What is
 * not looked at here (its instructions) the compiler checks, in a process that may die.
 *
 * @returns undefined where nothing speaks against it
 */
export function checkModule(bytes: Uint8Array): KernelRefusal | undefined {
  try {
    if (bytes.length > MODULE_BYTES)
      throw new Refused('too-large', say('kernels.tooLarge', { bytes: bytes.length, most: MODULE_BYTES }));
    checkSections(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    if (error instanceof NoModule)
      return { right: false, fault: 'not-a-module', reason: say('kernels.notAModule', { what: error.message }) };
    throw error;
  }
}

function checkSections(bytes: Uint8Array): void {
  const reader = new WasmReader(bytes);
  if (Buffer.compare(reader.bytes(Math.min(HEAD.length, bytes.length)), HEAD) !== 0)
    throw new NoModule('it does not begin like one');
  let before = -1;
  let memories = 0;
  while (!reader.isAtEnd) {
    const id = reader.byte();
    const section = reader.stretch(reader.number());
    if (id === OWN) continue; // names and the like: nobody reads them
    const place = ORDER.indexOf(id);
    if (place < 0) throw new Refused('not-a-module', say('kernels.feature', { what: `section ${id}` }));
    if (place <= before) throw new NoModule('its parts are not in their order');
    before = place;
    if (id === TYPE) checkTypes(section);
    if (id === IMPORT) checkImports(section);
    if (id === FUNCTION) checkFunctions(section);
    if (id === TABLE) checkTables(section);
    if (id === MEMORY) memories += checkMemories(section);
    if (id === CODE) checkCode(section);
  }
  if (memories !== 1) throw new Refused('memory', say('kernels.noMemory'));
}

/** Objects on the heap of JavaScript need a type that is none of a function. */
function checkTypes(section: WasmReader): void {
  for (let count = section.number(); count > 0; count--) {
    if (section.byte() !== FUNCTION_TYPE)
      throw new Refused('not-a-module', say('kernels.feature', { what: 'types of objects' }));
    for (const _ of [0, 1]) for (let values = section.number(); values > 0; values--) checkValueType(section.byte());
  }
}

/** Numbers, vectors, and plain references: 0x7f to 0x7b, 0x70 and 0x6f. */
function checkValueType(type: number): void {
  if ((type > 0x7f || type < 0x7b) && type !== 0x70 && type !== 0x6f)
    throw new Refused('not-a-module', say('kernels.feature', { what: `values of type ${type}` }));
}

function checkImports(section: WasmReader): void {
  const count = section.number();
  if (count > 0) throw new Refused('imports', say('kernels.imports', { count }));
}

function checkFunctions(section: WasmReader): void {
  const count = section.number();
  if (count > MAX_FUNCTIONS)
    throw new Refused('too-complex', say('kernels.tooManyFunctions', { count, most: MAX_FUNCTIONS }));
}

function checkTables(section: WasmReader): void {
  let elements = 0;
  for (let count = section.number(); count > 0; count--) {
    checkValueType(section.byte());
    const { least, most = least } = limitsOf(section);
    elements += Math.max(least, most);
    if (elements > MAX_TABLE) throw new Refused('memory', say('kernels.tableTooLarge', { most: MAX_TABLE }));
  }
}

/** @returns how many there are, where they are as they should be */
function checkMemories(section: WasmReader): number {
  const count = section.number();
  if (count !== 1) return count;
  const { least, most } = limitsOf(section);
  if (most === undefined) throw new Refused('memory', say('kernels.noMaximum'));
  if (most > MAX_PAGES || least > most - ARENA_PAGES) {
    const told = { least, declared: most, room: ARENA_PAGES, most: MAX_PAGES };
    throw new Refused('memory', say('kernels.memoryMaximum', told));
  }
  return count;
}

function limitsOf(section: WasmReader): { least: number; most: number | undefined } {
  const flags = section.byte();
  if ((flags & (SHARED | WIDE)) !== 0 || flags > HAS_MAXIMUM) throw new Refused('memory', say('kernels.sharedMemory'));
  return { least: section.number(), most: flags === HAS_MAXIMUM ? section.number() : undefined };
}

function checkCode(section: WasmReader): void {
  const count = section.number();
  for (let number = 0; number < count; number++) {
    const bytes = section.number();
    if (bytes > MAX_BODY_BYTES)
      throw new Refused('too-complex', say('kernels.functionTooLarge', { number, bytes, most: MAX_BODY_BYTES }));
    const body = section.stretch(bytes);
    let locals = 0;
    for (let groups = body.number(); groups > 0; groups--) {
      locals += body.number();
      checkValueType(body.byte());
      if (locals > MAX_LOCALS)
        throw new Refused('too-complex', say('kernels.tooManyLocals', { number, count: locals, most: MAX_LOCALS }));
    }
  }
}
